import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinedPieces, type Spool, type SpoolPiece } from '../../extractor/tables/spool.ts';

/** Of all names together; past it they go to the disk. */
const heldLength = 4 * 1024 * 1024;
const readBytes = 256 * 1024;

/** Bytes in files of a temporary folder, a file each name; it is made when memory does not hold them, and removed at the end. */
export class SpoolFolder implements Spool, AsyncDisposable {
  readonly #held = new Map<string, SpoolPiece[]>();
  readonly #written = new Set<string>();
  #length = 0;
  #writing: Promise<void> = Promise.resolve();
  #folder: Promise<string> | undefined;

  append(name: string, piece: SpoolPiece): void | Promise<void> {
    const held = this.#held.get(name);
    if (held === undefined) this.#held.set(name, [piece]);
    else held.push(piece);
    this.#length += piece.length;
    return this.#length > heldLength ? this.#writeBehind() : undefined;
  }

  async *read(name: string): AsyncIterable<Uint8Array> {
    if (this.#written.has(name)) {
      await this.#write();
      yield* createReadStream(await this.#fileOf(name), { highWaterMark: readBytes }) as AsyncIterable<Uint8Array>;
    } else {
      for (const piece of this.#held.get(name) ?? []) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
    }
  }

  /** Waits for the write before, so that memory holds two of them at most, and the disk writes while the next page comes. */
  #writeBehind(): Promise<void> {
    const before = this.#writing;
    // Whoever waits for it next gets its failure.
    this.#write().catch(() => undefined);
    return before;
  }

  /** One after the other, so that bytes stay in their order. */
  #write(): Promise<void> {
    const held = [...this.#held];
    this.#held.clear();
    this.#length = 0;
    for (const [name] of held) this.#written.add(name);
    this.#writing = this.#append(held, this.#writing);
    return this.#writing;
  }

  async #append(
    held: readonly (readonly [name: string, pieces: readonly SpoolPiece[]])[],
    before: Promise<void>,
  ): Promise<void> {
    await before;
    for (const [name, pieces] of held) await appendFile(await this.#fileOf(name), joinedPieces(pieces));
  }

  async #fileOf(name: string): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'millrace-extract-'));
    return join(await this.#folder, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing.catch(() => undefined);
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }
}
