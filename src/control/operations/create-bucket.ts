import { isSameBucket, stageOfBucket, type Bucket, type BucketId } from '../../core/bucket.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { bucketDocuments } from '../../documents/bucket-document.ts';
import { createDocument } from '../../documents/change-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';
import { listBuckets } from '../store/buckets.ts';
import { stampNow } from './stamp-now.ts';

type CreateBucketParts = Pick<Parts, 'catalog' | 'clock' | 'tables' | 'tasks'>;

export interface BucketToCreate {
  readonly bucketId: BucketId;
  readonly displayName: string;
  readonly description: string;
  readonly change: Change;
}

/** Makes a bucket, which stays until it is deleted. `bucket.exists`, in any letter case; `bucket.invalid`; `bucket.tooMany`. */
export function createBucket(
  parts: CreateBucketParts,
  { bucketId, displayName, description, change }: BucketToCreate,
  options: Waiting,
): Promise<Bucket> {
  const { catalog, tasks } = parts;
  if (stageOfBucket(bucketId) === 'sys')
    throw new MillraceError('bucket.invalid', `"${bucketId}" cannot be made: "sys" holds the product's own tables`);
  // One at a time, or all of them would find room for one more, and two that differ in letter case would not see each other.
  return tasks.serial.run('create bucket', () =>
    tasks.alone({ claims: [], change }, async () => {
      const found = await listBuckets(parts, options);
      const there = found.find((one) => isSameBucket(one.bucketId, bucketId));
      if (there !== undefined) throw exists(bucketId, there.bucketId);
      checkCount(found.filter(({ made }) => made !== undefined).length);
      await change.begin({ kind: 'bucket', bucketId }, options);
      const bucket: Bucket = { bucketId, displayName, description, created: stampNow(parts, change.by) };
      await createDocument(catalog, { kind: bucketDocuments, id: bucketId, value: bucket }, options);
      return bucket;
    }),
  );
}

function exists(wanted: BucketId, there: BucketId): MillraceError {
  const as = there === wanted ? '' : `, as "${there}"`;
  return new MillraceError('bucket.exists', `the bucket "${wanted}" already exists in the project${as}`);
}

function checkCount(count: number): void {
  if (count < limits.buckets) return;
  const message = `there are ${count} buckets, the maximum is ${limits.buckets}; delete those that nobody uses`;
  throw new MillraceError('bucket.tooMany', message);
}
