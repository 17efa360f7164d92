import { endKey, startKey, type StoredPartition } from './keys.ts';
import type { LogStore } from './store.ts';

/** Where a partition ends; written with each batch. Its version in the store is `end`. */
export interface PartitionEnd {
  readonly end: number;
  /** Bytes of all batches since the partition was made. */
  readonly bytes: number;
  /** First offset of the last batch. */
  readonly lastBase: number;
  /** Records that appends were acknowledged for since the partition was made. */
  readonly acknowledged: number;
}

/** Where a partition begins; written by a trim. Its version in the store is `first`. */
export interface PartitionStart {
  readonly first: number;
  /** Bytes of the batches that were removed. */
  readonly bytes: number;
}

const rowBytes = 32;

/** Undefined: there is no such partition. */
export function readEnd(store: LogStore, at: StoredPartition): PartitionEnd | undefined {
  const row = store.get(endKey(at));
  if (row === undefined) return undefined;
  const end = row.readDoubleLE(0);
  // An earlier version of the product did not count: it begins with the offsets that are there.
  const acknowledged = row.length < rowBytes ? end : row.readDoubleLE(24);
  return { end, bytes: row.readDoubleLE(8), lastBase: row.readDoubleLE(16), acknowledged };
}

export function readStart(store: LogStore, at: StoredPartition): PartitionStart | undefined {
  const row = store.get(startKey(at));
  return row === undefined ? undefined : { first: row.readDoubleLE(0), bytes: row.readDoubleLE(8) };
}

/** Inside a block of the store. */
export function putEnd(
  store: LogStore,
  at: StoredPartition,
  { end, bytes, lastBase, acknowledged }: PartitionEnd,
): void {
  const row = Buffer.allocUnsafe(rowBytes);
  row.writeDoubleLE(end, 0);
  row.writeDoubleLE(bytes, 8);
  row.writeDoubleLE(lastBase, 16);
  row.writeDoubleLE(acknowledged, 24);
  store.put(endKey(at), row, end);
}

/** Inside a block of the store. */
export function putStart(store: LogStore, at: StoredPartition, { first, bytes }: PartitionStart): void {
  const row = Buffer.allocUnsafe(16);
  row.writeDoubleLE(first, 0);
  row.writeDoubleLE(bytes, 8);
  store.put(startKey(at), row, first);
}
