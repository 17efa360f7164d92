import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { crc32, gzip } from 'node:zlib';
import { crc32Checksum, type Checksum } from '../../core/checksum.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectContent } from '../../ports/object-store.ts';
import { gzipFile, type ByteSum } from './gzip-file.ts';
import type { LineBlocks } from './line-blocks.ts';

const firstBytes = 4 * 1024;
const chunkBytes = 256 * 1024;
const gzipBytes = promisify(gzip);

/**
 * Lines up to this are compressed in memory, in one go: no second file is written, and none is read again. The uploads of a process
 * hold no more together than `limits.uploadBytesAtOnce`.
 */
const inMemoryBytes = 8 * 1024 * 1024;

/** A file of this machine, and what it must hold. */
interface KnownFile extends ByteSum {
  readonly path: string;
}

/**
 * Lines of one part of an open slice. They stay in memory up to a chunk, or a block while there is one; from there on they go to a
 * local file. It is a cache of the log, so it is never synced. Their checksum is computed from the bytes in memory, a chunk at a time,
 * before they reach the file. What comes out of the file, its upload and the staging store is compared with it.
 */
export class PartWriter {
  readonly #path: string;
  readonly #blocks: LineBlocks;
  /** The chunk, when it is a block. */
  #block: Buffer | undefined;
  /** The block was put, or compressed: nobody looks at it any more. */
  #isBlockIdle = false;
  #chunk: Buffer = Buffer.alloc(0);
  #used = 0;
  #file: number | undefined;
  #written = 0;
  /** Of what went to the file. */
  #crc = 0;
  /** The lines once more, compressed; `memory` when no file has them. */
  #gzipped: KnownFile | 'memory' | undefined;

  constructor(path: string, blocks: LineBlocks) {
    this.#path = path;
    this.#blocks = blocks;
  }

  get bytes(): number {
    return this.#written + this.#used;
  }

  /** Of all lines so far. */
  get checksum(): Checksum {
    return crc32Checksum(this.#crcOfAll);
  }

  get #crcOfAll(): number {
    return crc32(this.#chunk.subarray(0, this.#used), this.#crc);
  }

  /** Takes the bytes from `start` to `end`. */
  append(bytes: Buffer, start = 0, end = bytes.length): void {
    const length = end - start;
    if (this.#used + length > this.#chunk.length) this.#makeRoom(length);
    if (length > this.#chunk.length) {
      this.#spill(bytes.subarray(start, end));
      return;
    }
    bytes.copy(this.#chunk, this.#used, start, end);
    this.#used += length;
  }

  /** All lines so far, as something to put; valid until the next append or `discard`. */
  content(): ObjectContent {
    if (this.#file === undefined) return { kind: 'bytes', bytes: this.#chunk.subarray(0, this.#used) };
    this.#flush();
    return { kind: 'file', path: this.#path };
  }

  /** The same, compressed. `stage.altered` when the local file is not what was appended. It is called once. */
  async gzipped(level: number, { signal }: Waiting): Promise<ObjectContent> {
    const content = this.content();
    if (content.kind === 'bytes') return await gzippedBytes(content.bytes, level);
    if (this.bytes <= inMemoryBytes) return await this.#gzippedInMemory(level, signal);
    const path = `${this.#path}.gz`;
    this.#gzipped = { path, bytes: 0, crc: 0 };
    const { read, written } = await gzipFile({ from: this.#path, to: path, level, signal });
    requireSame({ path: this.#path, bytes: this.bytes, crc: this.#crcOfAll }, read);
    this.#gzipped = { path, ...written };
    return { kind: 'file', path };
  }

  /**
   * Reads the file that `content`, or `gzipped`, answered and compares it with what was written to it: `stage.altered`. What is still
   * in memory has never left this process.
   */
  async check({ signal }: Waiting): Promise<void> {
    this.#isBlockIdle = true;
    if (this.#file === undefined || this.#gzipped === 'memory') return;
    const file = this.#gzipped ?? { path: this.#path, bytes: this.bytes, crc: this.#crcOfAll };
    requireSame(file, await readSum(file.path, signal));
  }

  /** Forgets everything and removes the files. Idempotent. */
  discard(): void {
    const file = this.#file;
    const gzipped = this.#gzipped;
    this.#file = undefined;
    this.#gzipped = undefined;
    this.#giveBlockBack();
    this.#chunk = Buffer.alloc(0);
    this.#used = 0;
    this.#written = 0;
    this.#crc = 0;
    if (file === undefined) return;
    try {
      closeSync(file);
    } finally {
      rmSync(this.#path, { force: true });
      if (gzipped !== undefined && gzipped !== 'memory') rmSync(gzipped.path, { force: true });
    }
  }

  async #gzippedInMemory(level: number, signal: AbortSignal): Promise<ObjectContent> {
    const lines = await readFile(this.#path, { signal });
    const known = { path: this.#path, bytes: this.bytes, crc: this.#crcOfAll };
    requireSame(known, { bytes: lines.length, crc: crc32(lines) });
    this.#gzipped = 'memory';
    return await gzippedBytes(lines, level);
  }

  #makeRoom(wanted: number): void {
    const needed = this.#used + wanted;
    if (needed <= chunkBytes) {
      const size = Math.max(firstBytes, this.#chunk.length * 2, needed);
      this.#goOnIn(Buffer.allocUnsafe(Math.min(chunkBytes, size)));
    } else if (this.#file !== undefined || !this.#takeBlock(needed)) {
      this.#flush();
      if (this.#chunk.length < chunkBytes) this.#chunk = Buffer.allocUnsafe(chunkBytes);
    }
  }

  #goOnIn(memory: Buffer): void {
    this.#chunk.copy(memory, 0, 0, this.#used);
    this.#chunk = memory;
  }

  /** Goes on in a block; false when there is none, or it has no room either. */
  #takeBlock(needed: number): boolean {
    if (this.#block !== undefined || needed > limits.lineBlockBytes) return false;
    this.#block = this.#blocks.take();
    if (this.#block === undefined) return false;
    this.#goOnIn(this.#block);
    return true;
  }

  #giveBlockBack(): void {
    if (this.#block !== undefined) this.#blocks.giveBack(this.#block, this.#isBlockIdle);
    this.#block = undefined;
    this.#isBlockIdle = false;
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

/** In the thread pool. Lines become a third or less, so that one piece of work makes all of it. */
async function gzippedBytes(lines: Uint8Array, level: number): Promise<ObjectContent> {
  const chunkSize = Math.max(firstBytes, lines.length >> 1);
  return { kind: 'bytes', bytes: await gzipBytes(lines, { level, chunkSize }) };
}

function requireSame({ path, bytes, crc }: KnownFile, found: ByteSum): void {
  if (found.bytes === bytes && found.crc === crc) return;
  throw new MillraceError(
    'stage.altered',
    `the local file "${path}" holds ${found.bytes} bytes (${crc32Checksum(found.crc)}), not the ${bytes} (${crc32Checksum(crc)}) ` +
      'that were written to it',
  );
}

/** Through one buffer: a stream takes memory anew for each chunk. */
async function readSum(path: string, signal: AbortSignal): Promise<ByteSum> {
  await using file = await open(path);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let [bytes, crc] = [0, 0];
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return { bytes, crc };
    crc = crc32(buffer.subarray(0, bytesRead), crc);
    bytes += bytesRead;
  }
}
