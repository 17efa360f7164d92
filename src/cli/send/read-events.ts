import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { MillraceError } from '../../core/millrace-error.ts';
import { whyUnread } from '../../core/why-unread.ts';
import { cutBatch, type BatchLimits } from './cut-batch.ts';
import { largestEventBytes, type OutgoingBatch } from './outgoing-event.ts';
import { splitChunks } from './split-lines.ts';

export interface EventFiles {
  /** `-` is standard input. */
  readonly files: readonly string[];
  readonly stdin: Readable;
  /** A file is one event; else each line is. */
  readonly whole: boolean;
  readonly limits: BatchLimits;
}

/** How much of a file is read at a time: about what goes into one request. */
const pieceBytes = 256 * 1024;

/** The bytes of all files together; undefined with standard input among them. A file that is not there is `input.invalid`. */
export async function totalBytes(files: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for (const file of files) {
    if (file === '-') continue;
    const found = await stat(file).catch((thrown: unknown) => unreadable(file, thrown));
    if (found.isDirectory()) throw new MillraceError('input.invalid', `${file} is a folder: name files.`);
    total += found.size;
  }
  return files.includes('-') ? undefined : total;
}

/**
 * The events of the files as they are read, in order. A batch has what one read brought, so that a slow writer at standard
 * input waits for nobody.
 */
export async function* readEvents({ files, stdin, whole, limits }: EventFiles): AsyncGenerator<OutgoingBatch, void> {
  for (const file of files) {
    const name = file === '-' ? 'stdin' : file;
    const chunks = bytesOf(file === '-' ? stdin : createReadStream(file, { highWaterMark: pieceBytes }), file);
    if (whole) {
      const body = await wholeOf(name, chunks);
      yield { events: [{ place: name, body }], bytes: body.length };
    } else for await (const batch of splitChunks(name, chunks)) yield* cutBatch(batch, limits);
  }
}

async function* bytesOf(stream: Readable, file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array | string>)
      yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  } catch (thrown) {
    unreadable(file, thrown);
  }
}

async function wholeOf(name: string, chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    held += chunk.length;
    if (held > largestEventBytes)
      throw new MillraceError('input.invalid', `${name}: the file is larger than ${largestEventBytes} bytes.`);
  }
  return Buffer.concat(parts);
}

function unreadable(file: string, thrown: unknown): never {
  if (thrown instanceof MillraceError) throw thrown;
  const advice = /^[\w-]+$/.test(file) ? ` If it is the id of a source, write --source ${file}.` : '';
  const message = `The file ${file} cannot be read: ${whyUnread(thrown)}.${advice}`;
  throw new MillraceError('input.invalid', message, { cause: thrown });
}
