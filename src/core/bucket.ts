import type { Brand } from './brand.ts';
import { limits } from './limits.ts';
import { MillraceError } from './millrace-error.ts';
import { shortened } from './shortened.ts';
import type { Stamp } from './source.ts';
import { parseTableId, type TableId } from './table-id.ts';

/** `stage.bucket`, for example `in.c-shop`: the first two parts of a table's id. */
export type BucketId = Brand<string, 'BucketId'>;

/** A bucket that somebody made, collection `bucket`. One that only came with its first table has no document. */
export interface Bucket {
  readonly bucketId: BucketId;
  /** What people call it. */
  readonly displayName: string;
  readonly description: string;
  readonly created: Stamp;
}

/** Two parts, as a table's id begins; anything else is `bucket.invalid`. */
export function parseBucketId(text: string): BucketId {
  try {
    // Whatever the table is called.
    parseTableId(`${text}.t`);
    return text as BucketId;
  } catch (cause) {
    const rule = `a bucket ID has the two parts "stage.name", a stage "in" or "out" and a name of at most ${limits.tableNameLength} letters, digits, "_" and "-"`;
    throw new MillraceError('bucket.invalid', `invalid bucket ID "${shortened(text, 200)}": ${rule}`, { cause });
  }
}

/** The id of a bucket that is to be made: its name begins with `c-`, whether that was given or not; `bucket.invalid`. */
export function bucketIdOf({ stage, name }: { readonly stage: string; readonly name: string }): BucketId {
  const id = parseBucketId(`${stage}.${name.startsWith('c-') ? name : `c-${name}`}`);
  if (name !== '' && name !== 'c-') return id;
  throw new MillraceError('bucket.invalid', 'the name of a bucket cannot be empty');
}

/** `in`, `out`, or `sys` for the product's own. */
export function stageOfBucket(id: BucketId): string {
  return id.slice(0, id.indexOf('.'));
}

/** Buckets whose ids differ in letter case alone are one: stores of tables do not tell them apart. */
export function isSameBucket(some: string, other: string): boolean {
  return some.toLowerCase() === other.toLowerCase();
}

/** The bucket of a table; of a bucket itself. */
export function bucketOf(id: TableId | BucketId): BucketId {
  return id.split('.', 2).join('.') as BucketId;
}
