import type { LogRecord } from '../../../ports/event-log.ts';
import { BatchCursor, batchCount } from './batch-codec.ts';
import { batchBase, batchKey, type StoredPartition } from './keys.ts';
import type { LogStore } from './store.ts';
import { readEnd, readStart } from './partition-meta.ts';

/**
 * What a read found. Without records, `next` is where reading goes on: above the position if retention took it, or if what stood
 * there is missing.
 */
export interface PartitionRead {
  readonly records: readonly LogRecord[];
  readonly first: number;
  readonly next: number;
  readonly bytes: number;
  /** The last batch was not taken whole. */
  readonly cut: boolean;
}

/** Bytes after which no further batch is begun, and after which a batch is cut. */
export interface ReadLimits {
  readonly enough: number;
  readonly most: number;
}

/** The rest of a batch that a read did not take whole. */
interface OpenBatch {
  readonly at: StoredPartition;
  readonly cursor: BatchCursor;
}

/**
 * Reads partitions in the present snapshot: one look-up and one copy per stored batch, records are views of the copy.
 */
export class BatchReader {
  readonly #store: LogStore;
  #open: OpenBatch | undefined;

  constructor(store: LogStore) {
    this.#store = store;
  }

  /** Records from `position` on, within the limits, and at least one if there is any. */
  read(at: StoredPartition, position: number, { enough, most }: ReadLimits): PartitionRead {
    const end = readEnd(this.#store, at)?.end ?? 0;
    if (position >= end) return { records: [], first: 0, next: position, bytes: 0, cut: false };
    const records: LogRecord[] = [];
    let next = position;
    let bytes = 0;
    let cut = false;
    let cursor = this.#takeOpen(at, position) ?? this.#locate(at, position);
    if (cursor === undefined) next = end;
    while (cursor !== undefined && !cut) {
      while (!cursor.done && (records.length === 0 || bytes + cursor.size <= most)) {
        bytes += cursor.size;
        records.push(cursor.take());
      }
      next = cursor.offset;
      cut = !cursor.done;
      if (cut) this.#open = { at, cursor };
      else cursor = bytes < enough ? this.#at(at, next) : undefined;
    }
    const first = readStart(this.#store, at)?.first ?? 0;
    return { records, first, next: Math.max(next, first), bytes, cut };
  }

  #takeOpen(at: StoredPartition, position: number): BatchCursor | undefined {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined || open.at.number !== at.number || open.at.partition !== at.partition) return undefined;
    return open.cursor.offset === position ? open.cursor : undefined;
  }

  /** The batch that begins at the offset. */
  #at(at: StoredPartition, base: number): BatchCursor | undefined {
    const batch = this.#store.get(batchKey(at, base));
    return batch === undefined ? undefined : new BatchCursor(batch, base);
  }

  /** The batch that holds the position, or the first one above it. */
  #locate(at: StoredPartition, position: number): BatchCursor | undefined {
    return this.#at(at, position) ?? this.#around(at, position) ?? this.#above(at, position);
  }

  #around(at: StoredPartition, position: number): BatchCursor | undefined {
    const key = this.#store.floorKey(batchKey(at, position), batchKey(at, 0));
    if (key === undefined) return undefined;
    const base = batchBase(key);
    const batch = this.#store.get(key);
    if (batch === undefined || base + batchCount(batch) <= position) return undefined;
    const cursor = new BatchCursor(batch, base);
    cursor.skipTo(position);
    return cursor;
  }

  #above(at: StoredPartition, position: number): BatchCursor | undefined {
    const [key] = this.#store.keys({ start: batchKey(at, position), end: batchKey(at, Number.MAX_SAFE_INTEGER) }, 1);
    return key === undefined ? undefined : this.#at(at, batchBase(key));
  }
}
