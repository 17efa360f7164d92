import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip, crc32 } from 'node:zlib';
import type { Waiting } from '../../ports/waiting.ts';

const chunkBytes = 256 * 1024;

/** Some bytes: how many, and their CRC-32. */
export interface ByteSum {
  readonly bytes: number;
  readonly crc: number;
}

export interface GzipFile extends Waiting {
  readonly from: string;
  /** Made; it must not be there. */
  readonly to: string;
  readonly level: number;
}

/**
 * Compresses a file into another one, away from this thread. Answers of what was read, and of what was written, what it was in memory:
 * neither file is believed.
 */
export async function gzipFile({
  from,
  to,
  level,
  signal,
}: GzipFile): Promise<{ readonly read: ByteSum; readonly written: ByteSum }> {
  const [read, written] = [new Sum(), new Sum()];
  await pipeline(
    createReadStream(from, { highWaterMark: chunkBytes }),
    (chunks: AsyncIterable<Uint8Array>) => read.passing(chunks),
    createGzip({ level, chunkSize: chunkBytes }),
    (chunks: AsyncIterable<Uint8Array>) => written.passing(chunks),
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
    { signal },
  );
  return { read, written };
}

class Sum implements ByteSum {
  bytes = 0;
  crc = 0;

  async *passing(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytes += chunk.length;
      this.crc = crc32(chunk, this.crc);
      yield chunk;
    }
  }
}
