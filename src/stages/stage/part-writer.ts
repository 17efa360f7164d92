import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { crc32Checksum, type Checksum } from '../../core/checksum.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectContent } from '../../ports/object-store.ts';

const firstBytes = 4 * 1024;
const chunkBytes = 256 * 1024;

/**
 * Lines of one part of an open slice. They stay in memory up to a chunk and go to a local file from there on; the file
 * is a cache of the log, so it is never synced. Their checksum is computed from the bytes in memory, a chunk at a time,
 * before they reach the file. What comes out of the file, its upload and the staging store is compared with it.
 */
export class PartWriter {
  readonly #path: string;
  #chunk: Buffer = Buffer.alloc(0);
  #used = 0;
  #file: number | undefined;
  #written = 0;
  /** Of what went to the file. */
  #crc = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get bytes(): number {
    return this.#written + this.#used;
  }

  /** Of all lines so far. */
  get checksum(): Checksum {
    return crc32Checksum(crc32(this.#chunk.subarray(0, this.#used), this.#crc));
  }

  /** Takes the bytes from `start` on. */
  append(bytes: Buffer, start = 0): void {
    const length = bytes.length - start;
    if (this.#used + length > this.#chunk.length) this.#makeRoom(length);
    if (length > this.#chunk.length) {
      this.#spill(bytes.subarray(start));
      return;
    }
    bytes.copy(this.#chunk, this.#used, start);
    this.#used += length;
  }

  /** All lines so far, as something to put; valid until the next append or `discard`. */
  content(): ObjectContent {
    if (this.#file === undefined) return { kind: 'bytes', bytes: this.#chunk.subarray(0, this.#used) };
    this.#flush();
    return { kind: 'file', path: this.#path };
  }

  /**
   * Reads the file that `content` answered and compares it with what was appended: `stage.altered`. What is still in
   * memory has never left this process.
   */
  async check({ signal }: Waiting): Promise<void> {
    if (this.#file === undefined) return;
    const expected = { bytes: this.bytes, checksum: this.checksum };
    const found = await readSum(this.#path, signal);
    if (found.bytes === expected.bytes && found.checksum === expected.checksum) return;
    throw new MillraceError(
      'stage.altered',
      `the local file "${this.#path}" holds ${found.bytes} bytes (${found.checksum}), not the ${expected.bytes} (${expected.checksum}) ` +
        'that were written to it',
    );
  }

  /** Forgets everything and removes the file. Idempotent. */
  discard(): void {
    const file = this.#file;
    this.#file = undefined;
    this.#chunk = Buffer.alloc(0);
    this.#used = 0;
    this.#written = 0;
    this.#crc = 0;
    if (file === undefined) return;
    try {
      closeSync(file);
    } finally {
      rmSync(this.#path, { force: true });
    }
  }

  #makeRoom(wanted: number): void {
    const size = Math.max(firstBytes, this.#chunk.length * 2, this.#used + wanted);
    if (size <= chunkBytes) {
      const larger = Buffer.allocUnsafe(size);
      this.#chunk.copy(larger, 0, 0, this.#used);
      this.#chunk = larger;
    } else if (this.#chunk.length < chunkBytes) {
      const largest = Buffer.allocUnsafe(chunkBytes);
      this.#chunk.copy(largest, 0, 0, this.#used);
      this.#chunk = largest;
      if (this.#used + wanted > chunkBytes) this.#flush();
    } else {
      this.#flush();
    }
  }

  #flush(): void {
    if (this.#used > 0) this.#spill(this.#chunk.subarray(0, this.#used));
    this.#used = 0;
  }

  #spill(bytes: Uint8Array): void {
    const crc = crc32(bytes, this.#crc);
    this.#file ??= openSync(this.#path, 'wx', 0o600);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at, bytes.length - at);
    this.#written += bytes.length;
    this.#crc = crc;
  }
}

/** Through one buffer: a stream takes memory anew for each chunk. */
async function readSum(path: string, signal: AbortSignal): Promise<{ bytes: number; checksum: Checksum }> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let [bytes, crc] = [0, 0];
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return { bytes, checksum: crc32Checksum(crc) };
    crc = crc32(buffer.subarray(0, bytesRead), crc);
    bytes += bytesRead;
  }
}
