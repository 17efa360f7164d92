import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { formatByteSize } from '../../core/settings/byte-size.ts';
import type { Terminal } from '../terminal.ts';
import { waitFor } from '../wait-for.ts';
import type { FileClient, FileShape } from './file-client.ts';

export interface LocalFile {
  readonly path: string;
  /** Under which it is kept; its own when absent. */
  readonly name?: string | undefined;
  readonly tags: readonly string[];
  readonly isPermanent: boolean;
}

/** Uploads a local file, and tells a person how far it is. `input.invalid` when it cannot be read. */
export async function uploadFile(
  files: FileClient,
  terminal: Terminal,
  { path, name = basename(path), tags, isPermanent }: LocalFile,
): Promise<FileShape> {
  const size = await sizeOf(path);
  const prepared = await files.prepare({ name, sizeBytes: size, tags: [...tags], isPermanent });
  let sent = 0;
  const counted = new Transform({
    transform: (chunk: Buffer, _, done) => {
      sent += chunk.length;
      done(undefined, chunk);
    },
  });
  const content = createReadStream(path, { highWaterMark: 256 * 1024 });
  content.on('error', (error) => counted.destroy(error));
  const stream = Readable.toWeb(content.pipe(counted)) as ReadableStream<Uint8Array>;
  const what = (): string =>
    `Uploading ${basename(path)}: ${size === 0 ? 100 : Math.floor((100 * sent) / size)} % of ${formatByteSize(size)}`;
  return waitFor(terminal, what, files.upload(String(prepared.id), stream));
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isFile()) return found.size;
  } catch (cause) {
    throw new MillraceError('input.invalid', `The file ${path} cannot be read: ${messageOf(cause)}.`, { cause });
  }
  throw new MillraceError('input.invalid', `${path} is no file.`);
}
