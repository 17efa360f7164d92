import { stageOfBucket, type BucketId } from '../../core/bucket.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { removeDocument } from '../../documents/change-document.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';
import { findBucket } from '../store/buckets.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { dropBucket, dropTable, requireUnused } from './change-table.ts';
import type { ReadDependentsParts } from './table-dependents.ts';

type DeleteBucketParts = ReadDependentsParts & Pick<Parts, 'chores' | 'ownership' | 'seat' | 'tables' | 'tasks'>;

export interface BucketRemoval {
  readonly bucketId: BucketId;
  /** With its tables. */
  readonly force: boolean;
  readonly change: Change;
}

/**
 * Deletes a bucket. `bucket.notFound`; `bucket.notEmpty` unless forced; `table.inUse` when a sink fills one of its tables or rows wait for
 * it: then all of them stay. A process that dies in between leaves a bucket with some of its tables; deleting it again goes on.
 */
export async function deleteBucket(
  parts: DeleteBucketParts,
  { bucketId, force, change }: BucketRemoval,
  options: Waiting,
): Promise<void> {
  const { catalog, tables, tasks } = parts;
  if (stageOfBucket(bucketId) === 'sys')
    throw new MillraceError('bucket.invalid', `"${bucketId}" cannot be deleted: "sys" holds the product's own tables`);
  const before = await tablesOf(parts, bucketId, options);
  const work = async (): Promise<void> => {
    const inside = await tablesOf(parts, bucketId, options);
    if (!force && inside.length > 0) throw notEmpty(bucketId, inside.length);
    const other = inside.find(({ tableId }) => !before.some((one) => one.tableId === tableId));
    if (other !== undefined)
      throw new MillraceError('object.busy', `the table "${other.tableId}" was made this moment, try again`);
    for (const { tableId } of inside)
      await requireUnused(parts, { tableId, what: 'deleted', canForce: false }, options);
    await parts.ownership.assertOurs('tables', options);
    await change.begin({ kind: 'bucket', bucketId }, options);
    for (const { tableId, identity } of inside) {
      await parts.seat.assertHeld(options);
      await dropTable({ tables }, { tableId, identity }, options);
    }
    const [first] = inside;
    if (first !== undefined) await dropBucket(parts, first.tableId, options);
    await removeDocument(catalog, { collection: 'bucket', id: bucketId }, options);
  };
  const claims = before.map(({ tableId }) => ({ key: `table ${tableId}`, mode: 'exclusive' }) as const);
  await tasks.alone({ claims, change }, () => aloneOnBuckets(tasks.serial, [bucketId], work));
}

async function tablesOf(
  parts: Pick<Parts, 'catalog' | 'tables'>,
  bucketId: BucketId,
  options: Waiting,
): Promise<readonly TableDescription[]> {
  const found = await findBucket(parts, bucketId, options);
  if (found !== undefined) return found.tables;
  throw new MillraceError('bucket.notFound', `the bucket "${bucketId}" was not found in the project`);
}

function notEmpty(bucketId: BucketId, count: number): MillraceError {
  const tables = count === 1 ? 'There is 1 table' : `There are ${count} tables`;
  const message = `Only empty buckets can be deleted. ${tables} in the bucket "${bucketId}"`;
  return new MillraceError('bucket.notEmpty', message);
}
