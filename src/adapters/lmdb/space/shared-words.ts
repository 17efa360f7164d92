import type { RootDatabase } from 'lmdb';

/** The driver has it, its types do not. */
interface SharesMemory {
  getUserSharedBuffer(id: Uint8Array, first: ArrayBuffer): ArrayBuffer;
}

const words = { promised: 0, isShort: 1, hasFreed: 2, claimed: 3, count: 4 } as const;

/**
 * What all threads of the process know of the space of an environment, in memory that belongs to the environment. A
 * thread that is ended inside a write leaves its promise standing: so many pages more are kept allocated until the
 * process ends.
 */
export class SharedWords {
  readonly #words: Int32Array;

  constructor(environment: RootDatabase<Buffer, Uint8Array>) {
    const first = new ArrayBuffer(words.count * Int32Array.BYTES_PER_ELEMENT);
    const shared = (environment as typeof environment & SharesMemory).getUserSharedBuffer(Buffer.from('space'), first);
    this.#words = new Int32Array(shared);
  }

  /**
   * Pages that are promised to writes under way, with these; and `claimed` as it was before: a write that is not among the
   * promised ones is claimed after that.
   */
  promise(pages: number): { readonly promised: number; readonly claimed: number } {
    const { claimed } = this;
    const promised = Atomics.add(this.#words, words.promised, pages) + pages;
    Atomics.add(this.#words, words.claimed, pages);
    return { promised, claimed };
  }

  /** Pages that are promised to writes under way. */
  get promisedPages(): number {
    return Atomics.load(this.#words, words.promised);
  }

  /** Pages that were ever promised, modulo 2^32. */
  get claimed(): number {
    return Atomics.load(this.#words, words.claimed);
  }

  release(pages: number): void {
    Atomics.sub(this.#words, words.promised, pages);
  }

  /** A write was refused, and the file did not become longer since. */
  get isShort(): boolean {
    return Atomics.load(this.#words, words.isShort) === 1;
  }

  /** Pages were freed while it is short. */
  get hasFreed(): boolean {
    return Atomics.load(this.#words, words.hasFreed) === 1;
  }

  refused(): void {
    Atomics.store(this.#words, words.isShort, 1);
  }

  freed(): void {
    Atomics.store(this.#words, words.hasFreed, 1);
  }

  /** The file became longer. */
  hasSpace(): void {
    Atomics.store(this.#words, words.isShort, 0);
    Atomics.store(this.#words, words.hasFreed, 0);
  }
}
