import { bucketOf } from '../../core/bucket.ts';
import type { BucketId } from '../../core/bucket.ts';
import type { TableId } from '../../core/table-id.ts';
import type { SerialQueue } from '../tasks/serial-queue.ts';

/**
 * Runs work that drops tables of these buckets, or relies on them until a sink that maps to them can be seen. One such
 * piece of work runs at a time, so that no table is dropped that another operation has just found.
 */
export function aloneOnBuckets<Result>(
  serial: SerialQueue,
  tables: readonly (TableId | BucketId)[],
  work: () => Promise<Result>,
): Promise<Result> {
  // In one order, so that two never wait for each other.
  const buckets = [...new Set(tables.map(bucketOf))].toSorted((a, b) => (a < b ? -1 : 1));
  return buckets.reduceRight<() => Promise<Result>>(
    (inner, bucket) => () => serial.run(`bucket ${bucket}`, inner),
    work,
  )();
}
