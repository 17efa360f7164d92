import { close, fsync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { outcomeHeaderBytes } from '../../../src/core/outcome.ts';

const pieceBytes = 256 * 1024;

/**
 * The least that staging can be: lines of outcomes in files of as many rows as a slice has, each of which is on the disk in the end.
 * Nothing is checked, and nobody knows of the files.
 */
export class LineFiles {
  readonly #folder: string;
  readonly #rowsOfFile: number;
  readonly #piece = Buffer.allocUnsafe(pieceBytes);
  #used = 0;
  #rows = 0;
  #files = 0;
  #file: number | undefined;
  #synced: Promise<void>[] = [];

  constructor(folder: string, rowsOfFile: number) {
    this.#folder = folder;
    this.#rowsOfFile = rowsOfFile;
  }

  add(outcome: Uint8Array): void {
    const line = outcome.subarray(outcomeHeaderBytes);
    if (this.#used + line.length > pieceBytes) this.#flush();
    this.#piece.set(line, this.#used);
    this.#used += line.length;
    this.#rows += 1;
    if (this.#rows % this.#rowsOfFile === 0) this.#end();
  }

  /** Resolves when all of it is on the disk. */
  async synced(): Promise<void> {
    this.#end();
    await Promise.all(this.#synced);
    this.#synced = [];
  }

  #flush(): void {
    this.#file ??= openSync(join(this.#folder, `${(this.#files += 1)}.csv`), 'wx');
    for (let at = 0; at < this.#used;) at += writeSync(this.#file, this.#piece, at, this.#used - at);
    this.#used = 0;
  }

  #end(): void {
    if (this.#used > 0) this.#flush();
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    this.#synced.push(promisify(fsync)(file).then(() => promisify(close)(file)));
  }
}
