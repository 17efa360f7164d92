import { statfsSync } from 'node:fs';
import { messageOf } from '../../../core/millrace-error.ts';
import { copiesOnWrite } from './copies-on-write.ts';
import { DataFile, stepBytes } from './data-file.ts';
import type { SharedWords } from './shared-words.ts';
import { pagesOf, type WriteSize } from './write-size.ts';

/**
 * What a write is for. `growth` makes the data more, and leaves room for `upkeep`: what frees pages, or keeps what is
 * there in order, goes on while the disk is full.
 */
export type Use = 'growth' | 'upkeep';

/** Never promised to anybody: what a write takes beyond its estimate comes from here. */
const untouchedBytes = 1024 * 1024;
/** What growth leaves to upkeep, with what is never promised. */
const upkeepBytes = 4 * 1024 * 1024;
/** Allocated beyond that while there is space, so that a write seldom waits for it. */
const aheadBytes = 2 * 1024 * 1024;
/** The list of the free pages, which a write may copy, is so much of the file, and so many bytes at most. */
const freeList = { share: 1 / 256, mostBytes: 1024 * 1024 } as const;

/** There is no space for a write; nothing of it was begun. */
export class NoSpace extends Error {
  override readonly name = 'NoSpace';
}

/**
 * Keeps LMDB from ever meeting a full disk: LMDB 3.5 answers a page that the disk refuses by writing behind the end of
 * a piece of memory. A write is begun only when the file has so many allocated bytes behind its last page that the write
 * and all others under way fit into them; else the file is made longer first, and where that fails the write is refused.
 *
 * What this promises: where a file system overwrites in place, no write of LMDB needs a block, whatever else fills the
 * disk meanwhile. On one that copies on write, and in a file with holes, the free space is looked at before each write:
 * there another process that fills the disk at that very moment wins.
 */
export class ReservedSpace {
  readonly #folder: string;
  readonly #file: DataFile;
  readonly #words: SharedWords;
  readonly #needsFreeSpace: boolean;
  #size = 0;
  #look = { claimed: 0, needed: Number.POSITIVE_INFINITY };
  #growing: Promise<void> | undefined;
  #preparing: Promise<void> | undefined;
  #isClosed = false;

  /** Of the environment in the folder, which is open; `words` are those of the environment. */
  constructor(folder: string, words: SharedWords) {
    this.#folder = folder;
    this.#words = words;
    this.#file = new DataFile(folder);
    this.#needsFreeSpace = this.#file.hasHoles || copiesOnWrite(folder);
  }

  /** A write was refused, and there has been no space since. */
  get isShort(): boolean {
    return this.#words.isShort;
  }

  /** Takes what the write needs, until the claim is disposed. `NoSpace`. */
  claim(size: WriteSize, use: Use): Disposable {
    const pages = pagesOf(size, this.#file.pageSize);
    const { promised, claimed } = this.#words.promise(pages);
    try {
      if (!this.#wasAhead()) this.#makeRoom({ promised, claimed }, use);
    } catch (thrown) {
      this.#words.release(pages);
      throw thrown;
    }
    return {
      [Symbol.dispose]: () => {
        this.#words.release(pages);
        if (size.removed > 0 && this.#words.isShort) this.#words.freed();
      },
    };
  }

  /**
   * Makes room in the thread pool for a write that is claimed next and is larger than what is ahead; undefined when there is room. What
   * fails here is tried again by the claim, which says so. The zeros of such a write are made right before it: further ahead, a sync
   * between would write them to the disk.
   */
  prepare(size: WriteSize): Promise<void> | undefined {
    if (this.#needsFreeSpace) return undefined;
    const bytes = pagesOf(size, this.#file.pageSize) * this.#file.pageSize;
    if (bytes <= aheadBytes / 2) return undefined;
    const needed = this.#neededFor(this.#words.promisedPages * this.#file.pageSize + bytes) + upkeepBytes;
    if (this.#isAllocated(needed) || this.#freeBytes() < needed - this.#size) return undefined;
    this.#preparing = this.#appendUntil(needed);
    return this.#preparing;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#growing;
    await this.#preparing;
    this.#file.close();
  }

  #makeRoom({ promised, claimed }: ReturnType<SharedWords['promise']>, use: Use): void {
    const promisedBytes = promised * this.#file.pageSize;
    const needed = this.#neededFor(promisedBytes);
    this.#look = { claimed, needed };
    const left = use === 'growth' ? upkeepBytes : untouchedBytes;
    if (this.#needsFreeSpace && this.#freeBytes() < promisedBytes + left) throw this.#noSpace();
    if (this.#isAllocated(needed + left)) {
      this.#growAhead(needed);
      return;
    }
    try {
      this.#extend(needed + left);
    } catch (thrown) {
      this.#words.refused();
      // What was freed in the middle of the file is seen only when it is used again, so growth may come closer then.
      if (this.#words.hasFreed && this.#isAllocated(needed + (left + untouchedBytes) / 2)) return;
      throw thrown;
    }
  }

  /** Length of the file that holds what is there and what is promised. */
  #neededFor(promisedBytes: number): number {
    const used = this.#file.usedBytes;
    return used + promisedBytes + Math.min(used * freeList.share, freeList.mostBytes);
  }

  /** There was so much room at the last look that it holds all that threads have claimed since: each look is a call of the system. */
  #wasAhead(): boolean {
    const since = ((this.#words.claimed - this.#look.claimed) >>> 0) * this.#file.pageSize;
    return !this.#needsFreeSpace && this.#isAhead(this.#look.needed + since * (1 + freeList.share));
  }

  #isAhead(needed: number): boolean {
    return this.#size >= needed + upkeepBytes + aheadBytes / 2;
  }

  #isAllocated(bytes: number): boolean {
    if (this.#size < bytes) this.#size = this.#file.size;
    return this.#size >= bytes;
  }

  /** The last bytes of a disk are left to others: nothing is appended unless all of it fits. */
  #extend(to: number): void {
    const bytes = Math.ceil((to - this.#size) / stepBytes) * stepBytes;
    if (this.#freeBytes() < bytes) throw this.#noSpace();
    try {
      this.#file.append(bytes);
    } catch (thrown) {
      throw this.#noSpace(thrown);
    }
    this.#words.hasSpace();
  }

  #growAhead(needed: number): void {
    if (this.#growing !== undefined || this.#isAhead(needed)) return;
    this.#growing = this.#appendUntil(needed + upkeepBytes + aheadBytes).finally(() => (this.#growing = undefined));
  }

  /** What fails here is tried again by the write that needs it, which says so. */
  async #appendUntil(bytes: number): Promise<void> {
    while (!this.#isClosed && !this.#isAllocated(bytes) && this.#freeBytes() >= stepBytes) {
      try {
        await this.#file.appendStep();
        this.#words.hasSpace();
      } catch {
        return;
      }
    }
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder);
    return bavail * bsize;
  }

  #noSpace(cause?: unknown): NoSpace {
    const because = cause === undefined ? '' : `: ${messageOf(cause)}`;
    return new NoSpace(`there is no space left on the disk for "${this.#file.path}"${because}`, { cause });
  }
}

/** Makes sure that what opening an environment writes, a few pages, has allocated bytes. Throws as the system does. */
export function reserveForOpening(folder: string): void {
  const file = new DataFile(folder);
  try {
    const missing = file.usedBytes + untouchedBytes - file.size;
    if (missing > 0) file.append(missing);
  } finally {
    file.close();
  }
}
