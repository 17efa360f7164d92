const slotsOfBucket = 8;
/** Of a slot: the tag of a name, and its count. */
const cellsOfSlot = 2;
const cellsOfHead = 2;

export interface SharedCountsSize {
  readonly threads: number;
  /** Names that one thread counts at a time, about. */
  readonly names: number;
  /** Any number, another one in each process: nobody outside can choose names that are taken for one. */
  readonly seed: number;
}

/**
 * Counts by name that threads have together: each writes its own, in a table that it alone writes, and sees those of the others at once.
 * The tables are what is handed from thread to thread.
 */
export class SharedCounts {
  readonly #cells: Int32Array;
  readonly #own: number;
  readonly threads: number;
  readonly #seed: number;
  readonly #buckets: number;

  /** `own`: whose counts are written here, of the threads from 0. */
  constructor(tables: SharedArrayBuffer, own: number) {
    this.#cells = new Int32Array(tables);
    this.#own = own;
    const [threads = 0, seed = 0] = this.#cells;
    this.threads = threads;
    this.#seed = seed;
    this.#buckets = (this.#cells.length - cellsOfHead) / (threads * slotsOfBucket * cellsOfSlot);
  }

  /** Nothing is counted in them. */
  static tables({ threads, names, seed }: SharedCountsSize): SharedArrayBuffer {
    // Three of four slots stay free, so that a bucket is hardly ever full.
    const buckets = Math.ceil((4 * names) / slotsOfBucket);
    const cells = cellsOfHead + threads * buckets * slotsOfBucket * cellsOfSlot;
    const tables = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * cells);
    new Int32Array(tables).set([threads, seed]);
    return tables;
  }

  /** Writes this thread's count of a name; false: it has no place for one more, and the others do not see it. */
  set(name: string, count: number): boolean {
    const [bucket, tag] = this.#placeOf(name);
    let free: number | undefined;
    for (const slot of this.#slots(this.#own, bucket)) {
      const isFree = Atomics.load(this.#cells, slot + 1) === 0;
      if (!isFree && Atomics.load(this.#cells, slot) === tag) {
        Atomics.store(this.#cells, slot + 1, count);
        return true;
      }
      if (isFree) free ??= slot;
    }
    if (free === undefined) return count === 0;
    Atomics.store(this.#cells, free, tag);
    Atomics.store(this.#cells, free + 1, count);
    return true;
  }

  /** What the other threads have counted of a name. */
  others(name: string): number {
    const [bucket, tag] = this.#placeOf(name);
    let sum = 0;
    for (let thread = 0; thread < this.threads; thread += 1)
      if (thread !== this.#own)
        for (const slot of this.#slots(thread, bucket))
          if (Atomics.load(this.#cells, slot) === tag) sum += Atomics.load(this.#cells, slot + 1);
    return sum;
  }

  /** Forgets what this thread has counted. */
  clear(): void {
    for (let bucket = 0; bucket < this.#buckets; bucket += 1)
      for (const slot of this.#slots(this.#own, bucket)) Atomics.store(this.#cells, slot + 1, 0);
  }

  *#slots(thread: number, bucket: number): Iterable<number> {
    const first = cellsOfHead + (thread * this.#buckets + bucket) * slotsOfBucket * cellsOfSlot;
    for (let slot = 0; slot < slotsOfBucket; slot += 1) yield first + slot * cellsOfSlot;
  }

  #placeOf(name: string): readonly [bucket: number, tag: number] {
    return [(hash(name, this.#seed) >>> 0) % this.#buckets, hash(name, ~this.#seed)];
  }
}

/** FNV-1a of 32 bits, its bits mixed at the end as MurmurHash3 does it. */
function hash(text: string, seed: number): number {
  let hashed = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hashed = Math.imul(hashed ^ text.charCodeAt(at), 0x01000193);
  hashed = Math.imul(hashed ^ (hashed >>> 16), 0x85ebca6b);
  hashed = Math.imul(hashed ^ (hashed >>> 13), 0xc2b2ae35);
  return hashed ^ (hashed >>> 16);
}
