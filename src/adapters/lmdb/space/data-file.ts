import { closeSync, constants, fstatSync, openSync, readSync, write, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MillraceError } from '../../../core/millrace-error.ts';
import { headerBytes, lastPageOf, readHeader } from './header.ts';

const writeLater = promisify(write);

/** Written at once; what syncs at the same time waits for no more than that. */
export const stepBytes = 1024 * 1024;

/** Of all files of a thread. Nothing is ever written into it, so the system gives it no memory of its own. */
const zeros = Buffer.alloc(stepBytes);

/**
 * The data file of an environment as the file system sees it. It is made longer by appending zeros, which the kernel
 * puts behind whatever is there: nothing that LMDB or another thread has written is ever overwritten, and a block that
 * was written once is there for good where a file system overwrites in place.
 */
export class DataFile {
  readonly path: string;
  readonly pageSize: number;
  /** A part of it was never written, so that overwriting may need a block: a sparse copy, or a file of an earlier release. */
  readonly hasHoles: boolean;
  readonly #descriptor: number;
  readonly #heads: Buffer;

  constructor(folder: string) {
    this.path = join(folder, 'data.mdb');
    this.#descriptor = openSync(this.path, constants.O_RDWR | constants.O_APPEND);
    const header = readHeader(this.#descriptor, 0);
    if (header === undefined) {
      closeSync(this.#descriptor);
      throw new MillraceError('data.unusable', `"${this.path}" is not a data file of this product`);
    }
    this.pageSize = header.pageSize;
    this.#heads = Buffer.alloc(header.pageSize + headerBytes);
    const { size, blocks } = fstatSync(this.#descriptor);
    this.hasHoles = blocks * 512 < size;
  }

  /** Grows only. */
  get size(): number {
    return fstatSync(this.#descriptor).size;
  }

  /** All pages of the newest transaction lie below; a transaction that ends now is counted or not. */
  get usedBytes(): number {
    readSync(this.#descriptor, this.#heads, 0, this.#heads.length, 0);
    const lastPage = Math.max(lastPageOf(this.#heads), lastPageOf(this.#heads.subarray(this.pageSize)));
    return (lastPage + 1) * this.pageSize;
  }

  /** Rejects as the system does, perhaps with a part of the bytes appended. */
  append(bytes: number): void {
    for (let left = bytes; left > 0;) {
      left -= writeSync(this.#descriptor, zeros, 0, Math.min(left, stepBytes));
    }
  }

  /** The same for one step, in the thread pool. */
  async appendStep(): Promise<void> {
    await writeLater(this.#descriptor, zeros, 0, stepBytes, null);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
