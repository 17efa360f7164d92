import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { joinedPieces, type Spool, type SpoolPiece } from '../../extractor/tables/spool.ts';
import { diskFault, type DiskShare } from './job-disk.ts';

/** Of all names together; past it everything is written. */
const bufferedLength = 1024 * 1024;
const readBytes = 256 * 1024;

/** A spool of files, one a name, in a folder that is there and that nobody else uses. */
export class FileSpool implements Spool {
  readonly #folder: string;
  readonly #disk: DiskShare;
  readonly #buffers = new Map<string, SpoolPiece[]>();
  readonly #written = new Set<string>();
  #buffered = 0;
  /** One write after the other: bytes stay in their order. Rejects once one has failed. */
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string, disk: DiskShare) {
    this.#folder = folder;
    this.#disk = disk;
  }

  append(name: string, piece: SpoolPiece): void | Promise<void> {
    const buffer = this.#buffers.get(name);
    if (buffer === undefined) this.#buffers.set(name, [piece]);
    else buffer.push(piece);
    this.#buffered += piece.length;
    return this.#buffered < bufferedLength ? undefined : this.#flushBehind();
  }

  async *read(name: string): AsyncIterable<Uint8Array> {
    await this.#flush();
    if (!this.#written.has(name)) return;
    try {
      yield* createReadStream(join(this.#folder, name), { highWaterMark: readBytes }) as AsyncIterable<Uint8Array>;
    } catch (thrown) {
      throw diskFault(thrown);
    }
  }

  /** Waits for the write before: memory holds two of them at most, and the disk writes while the next page comes. */
  #flushBehind(): Promise<void> {
    const before = this.#writing;
    void this.#flush();
    return before;
  }

  #flush(): Promise<void> {
    if (this.#buffered === 0) return this.#writing;
    const buffers = [...this.#buffers];
    this.#buffers.clear();
    this.#buffered = 0;
    this.#writing = this.#writing.then(() => this.#write(buffers));
    // Whoever appends or reads next is told.
    this.#writing.catch(() => undefined);
    return this.#writing;
  }

  async #write(buffers: readonly (readonly [name: string, pieces: readonly SpoolPiece[]])[]): Promise<void> {
    for (const [name, pieces] of buffers) {
      const bytes = joinedPieces(pieces);
      await this.#disk.take(bytes.length);
      try {
        await appendFile(join(this.#folder, name), bytes);
      } catch (thrown) {
        throw diskFault(thrown);
      }
      this.#written.add(name);
    }
  }
}
