import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { MillraceError } from '../../core/millrace-error.ts';
import { eventOfRecord, type MappedEvent } from '../../mapping/event-of-record.ts';
import { reservedHeaders } from '../../core/event.ts';
import { parseHeaders } from '../send/parse-headers.ts';

export interface EventOptions {
  /** A file. */
  readonly body?: string;
  /** Each `Name: value`. */
  readonly header: readonly string[];
}

/** The event that a template sees on the command line: from this machine, now, JSON unless a header says otherwise. */
export async function templateEvent({ body, header }: EventOptions): Promise<MappedEvent> {
  const named = parseHeaders({ contentType: 'application/json', header });
  const headers = Object.entries(named).flatMap(([name, values]) => values.flatMap((value) => [name, value]));
  const value = body === undefined ? Buffer.alloc(0) : await readWhole(body);
  const reserved = [reservedHeaders.id, randomUUID(), reservedHeaders.remoteAddress, '127.0.0.1'];
  const record = { value, headers: [...headers, ...reserved], timestamp: Date.now() };
  return eventOfRecord(record, { topic: 'command line', partition: 0, offset: 0 });
}

/** The bytes of a file; `input.invalid` when it cannot be read. */
export async function readWhole(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (thrown) {
    const { message } = MillraceError.fromUnknown(thrown);
    throw new MillraceError('input.invalid', `The file ${file} cannot be read: ${message}`, { cause: thrown });
  }
}
