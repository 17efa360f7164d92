import { Buffer } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { MillraceError } from '../../core/millrace-error.ts';
import { largestEventBytes, type OutgoingEvent } from './outgoing-event.ts';
import { splitLines } from './split-lines.ts';

export interface EventFiles {
  /** `-` is standard input. */
  readonly files: readonly string[];
  readonly stdin: Readable;
  /** A file is one event; else each line is. */
  readonly whole: boolean;
  /** Called with the bytes of each piece that was read. */
  readonly onRead: (bytes: number) => void;
}

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

/** The events of the files, one after another, as they are read. */
export async function* readEvents({ files, stdin, whole, onRead }: EventFiles): AsyncGenerator<OutgoingEvent, void> {
  for (const file of files) {
    const name = file === '-' ? 'stdin' : file;
    const chunks = counted(file === '-' ? stdin : createReadStream(file), onRead, file);
    if (whole) yield { place: name, body: await wholeOf(name, chunks) };
    else yield* splitLines(name, chunks);
  }
}

async function* counted(stream: Readable, onRead: EventFiles['onRead'], file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array | string>) {
      const bytes = Buffer.from(chunk);
      onRead(bytes.length);
      yield bytes;
    }
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
  const { message } = MillraceError.fromUnknown(thrown);
  throw new MillraceError('input.invalid', `${file} cannot be read: ${message}`, { cause: thrown });
}
