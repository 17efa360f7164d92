import type { Offset } from '../../../core/offset.ts';
import { BatchCursor } from './batch-codec.ts';
import { batchBase, batchKey, type StoredPartition } from './keys.ts';
import { readEnd, readStart } from './partition-meta.ts';
import type { LogStore } from './store.ts';

/** See `EventLog.offsetForTime`: halves the partition until one batch is left, and walks only batches it looks at. */
export function offsetForTime(store: LogStore, at: StoredPartition, timestamp: number): Offset {
  let low = readStart(store, at)?.first ?? 0;
  let high = readEnd(store, at)?.end ?? 0;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    const cursor = batchAround(store, at, middle);
    const base = cursor?.offset;
    const found = cursor === undefined ? undefined : firstSince(cursor, timestamp);
    // A batch that is missing lies between the one that was found and the middle.
    if (found === undefined) low = Math.max(cursor?.end ?? 0, middle + 1);
    else if (found === base) high = base;
    else return found;
  }
  return high;
}

function firstSince(cursor: BatchCursor, timestamp: number): Offset | undefined {
  while (!cursor.done) {
    const record = cursor.take();
    if (record.timestamp >= timestamp) return record.offset;
  }
  return undefined;
}

function batchAround(store: LogStore, at: StoredPartition, offset: Offset): BatchCursor | undefined {
  const key = store.floorKey(batchKey(at, offset), batchKey(at, 0));
  const batch = key === undefined ? undefined : store.get(key);
  return key === undefined || batch === undefined ? undefined : new BatchCursor(batch, batchBase(key));
}
