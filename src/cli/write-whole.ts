import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MillraceError } from '../core/millrace-error.ts';

/** Writes beside the file and renames at the end, so that a file of that name is never half an export. */
export async function writeWhole(content: Readable, file: string, signal: AbortSignal): Promise<number> {
  const temporary = `${file}.part`;
  let bytes = 0;
  const count = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      done(undefined, chunk);
    },
  });
  const target: Writable = createWriteStream(temporary);
  try {
    await pipeline(content, count, target, { signal });
    await rename(temporary, file);
  } catch (thrown) {
    await rm(temporary, { force: true });
    if (!isOfFile(thrown)) throw MillraceError.fromUnknown(thrown, 'client.refused');
    const message = `The file ${file} cannot be written: ${whyUnwritten(thrown, dirname(file))}.`;
    throw new MillraceError('input.invalid', message, { cause: thrown });
  }
  return bytes;
}

function whyUnwritten(error: Error, folder: string): string {
  if ('code' in error && error.code === 'ENOENT') return `there is no folder ${folder}`;
  return error.message;
}

function isOfFile(thrown: unknown): thrown is Error {
  return thrown instanceof Error && 'path' in thrown;
}
