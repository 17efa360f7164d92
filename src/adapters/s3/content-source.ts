import { open } from 'node:fs/promises';
import { MillraceError } from '../../core/millrace-error.ts';
import type { ObjectContent } from '../../ports/object-store.ts';

/** What is put, to be read in any order and more than once. */
export interface ContentSource extends AsyncDisposable {
  readonly bytes: number;
  /** Memory that a read of so many bytes takes: none when the content is in memory already. */
  memoryOf(bytes: number): number;
  /** The bytes from `start` up to, but without, `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A file that cannot be read, or that is shorter when it is read than when it was opened, is `objects.unavailable`. */
export async function openContent(content: ObjectContent): Promise<ContentSource> {
  switch (content.kind) {
    case 'bytes':
      return {
        bytes: content.bytes.byteLength,
        memoryOf: () => 0,
        read: async (start, end) => content.bytes.subarray(start, end),
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
      read: async (start, end) => {
        const bytes = Buffer.allocUnsafeSlow(end - start);
        for (let filled = 0; filled < bytes.length;) {
          const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
          if (bytesRead === 0) throw unreadable(path, new Error(`it had ${size} bytes and is shorter now`));
          filled += bytesRead;
        }
        return bytes;
      },
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (thrown) {
    await file.close();
    throw unreadable(path, thrown);
  }
}

function unreadable(path: string, thrown: unknown): MillraceError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new MillraceError('objects.unavailable', `cannot read the file "${path}" to put it: ${reason}`, {
    cause: thrown,
  });
}
