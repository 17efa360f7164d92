import { bucketOf, type Bucket, type BucketId } from '../../core/bucket.ts';
import { bucketDocuments } from '../../documents/bucket-document.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { TableDescription, Tables } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Catalog } from '../../ports/catalog.ts';

export interface BucketParts {
  readonly catalog: Catalog;
  readonly tables: Pick<Tables, 'listTables'>;
}

/** A bucket that somebody made, or that has tables, or both. */
export interface FoundBucket {
  readonly bucketId: BucketId;
  /** Absent: it came with its first table, and goes with its last. */
  readonly made?: Bucket;
  /** Sorted by id. */
  readonly tables: readonly TableDescription[];
}

/** All buckets, sorted by id. */
export async function listBuckets({ catalog, tables }: BucketParts, options: Waiting): Promise<readonly FoundBucket[]> {
  const made = await listDocuments(catalog, { kind: bucketDocuments }, options);
  const found = new Map<BucketId, FoundBucket>();
  for (const bucket of made) found.set(bucket.bucketId, { bucketId: bucket.bucketId, made: bucket, tables: [] });
  for (const [bucketId, inside] of Map.groupBy(await tables.listTables(options), ({ tableId }) => bucketOf(tableId))) {
    found.set(bucketId, { ...found.get(bucketId), bucketId, tables: inside });
  }
  return [...found.values()].toSorted((a, b) => (a.bucketId < b.bucketId ? -1 : 1));
}

/** Undefined when nobody has made it and no table is in it. */
export async function findBucket(
  { catalog, tables }: BucketParts,
  bucketId: BucketId,
  options: Waiting,
): Promise<FoundBucket | undefined> {
  const made = (await readDocument(catalog, { kind: bucketDocuments, id: bucketId }, options))?.value;
  const inside = (await tables.listTables(options)).filter(({ tableId }) => bucketOf(tableId) === bucketId);
  if (made === undefined && inside.length === 0) return undefined;
  return { bucketId, ...(made && { made }), tables: inside };
}
