import { open, type FileHandle } from 'node:fs/promises';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { ObjectContent } from '../../ports/object-store.ts';

/** What is put, to be read in any order and more than once. */
export interface ContentSource extends AsyncDisposable {
  readonly bytes: number;
  /** Memory that a read of so many bytes takes: none when the content is in memory already. */
  memoryOf(bytes: number): number;
  /** Each reader has memory of its own, as much as its largest read. */
  reader(): ContentReader;
}

/** Gives the bytes from `start` up to, but without, `end`; they are overwritten by the next call of the same reader. */
type ContentReader = (start: number, end: number) => Promise<Uint8Array>;

/** A file that cannot be read, or that is shorter when it is read than when it was opened, is `objects.unavailable`. */
export async function openContent(content: ObjectContent): Promise<ContentSource> {
  switch (content.kind) {
    case 'bytes':
      return {
        bytes: content.bytes.byteLength,
        memoryOf: () => 0,
        reader: () => async (start, end) => content.bytes.subarray(start, end),
        [Symbol.asyncDispose]: async () => {},
      };
    case 'file':
      return openFile(content.path);
    default:
      return content satisfies never;
  }
}

async function openFile(path: string): Promise<ContentSource> {
  const file = await open(path, 'r').catch((error: unknown) => Promise.reject(unreadable(path, error)));
  try {
    const { size } = await file.stat();
    return {
      bytes: size,
      memoryOf: (bytes) => bytes,
      reader: () => {
        let memory = Buffer.alloc(0);
        return async (start, end) => {
          if (memory.length < end - start) memory = Buffer.allocUnsafeSlow(end - start);
          const bytes = memory.subarray(0, end - start);
          await fill(file, bytes, start).catch((thrown: unknown) => Promise.reject(unreadable(path, thrown)));
          return bytes;
        };
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (thrown) {
    await file.close();
    throw unreadable(path, thrown);
  }
}

async function fill(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let filled = 0; filled < bytes.length;) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) throw new Error(`it ends at ${start + filled} bytes and was longer before`);
    filled += bytesRead;
  }
}

function unreadable(path: string, thrown: unknown): MillraceError {
  const reason = messageOf(thrown);
  return new MillraceError('objects.unavailable', `cannot read the file "${path}" to put it: ${reason}`, {
    cause: thrown,
  });
}
