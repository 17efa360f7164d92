import { z } from 'zod';
import { createBucket } from '../../../control/operations/create-bucket.ts';
import { deleteBucket } from '../../../control/operations/delete-bucket.ts';
import { findBucket, listBuckets, type FoundBucket } from '../../../control/store/buckets.ts';
import { bucketIdOf, parseBucketId, type BucketId } from '../../../core/bucket.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import { ApiError } from '../../errors/api-error.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';
import { createBucketBody } from '../../schemas/create-bucket-body.ts';
import { maybe } from '../../schemas/field.ts';
import { bucketPath } from '../../schemas/path.ts';
import { bucketSchema, bucketView } from '../../views/bucket-view.ts';
import { tableSchema, tableView } from '../../views/table-view.ts';
import { maySee } from './may-see.ts';

const all = '/v2/storage/buckets';
const one = `${all}/{bucketId}`;

export const listBucketsRoute = defineRoute({
  method: 'GET',
  path: all,
  access: 'readTables',
  operationId: 'listBuckets',
  summary: 'List all buckets that the caller may see: those that were made, and those that came with a table.',
  responses: { 200: { description: 'Buckets, sorted by id.', schema: z.array(bucketSchema) } },
  handle: async (_, context, { token, signal }) => {
    const seen = (await listBuckets(context, { signal })).filter(({ bucketId }) => maySee(token, bucketId));
    return ok(seen.map((bucket) => bucketView(bucket, context.addresses)));
  },
});

export const createBucketRoute = defineChange({
  method: 'POST',
  path: all,
  access: 'manageBuckets',
  operationId: 'createBucket',
  summary: 'Create a bucket. It stays when its last table goes, until it is deleted.',
  bodyKind: 'fields',
  body: createBucketBody,
  refuses: ['bucketValidation', 'bucketAlreadyExists', 'bucketCountLimitReached'],
  responses: { 201: { description: 'The bucket.', schema: bucketSchema } },
  handle: async ({ body }, context, { change, signal }) => {
    const { stage, name, description = '' } = body;
    const bucketId = bucketIdOf({ stage, name });
    const displayName = body.displayName ?? bucketId.slice(bucketId.indexOf('.') + 1);
    const made = await createBucket(context, { bucketId, displayName, description, change }, { signal });
    return { kind: 'json', status: 201, body: bucketView({ bucketId, made, tables: [] }, context.addresses) };
  },
});

export const getBucketRoute = defineRoute({
  method: 'GET',
  path: one,
  access: 'readTables',
  operationId: 'getBucket',
  summary: 'Get a bucket.',
  params: bucketPath,
  responses: { 200: { description: 'The bucket.', schema: bucketSchema } },
  handle: async ({ params }, context, { signal }) =>
    ok(bucketView(await bucketAt(context, params, { signal }), context.addresses)),
});

export const listBucketTablesRoute = defineRoute({
  method: 'GET',
  path: `${one}/tables`,
  access: 'readTables',
  operationId: 'listBucketTables',
  summary: 'List the tables of a bucket.',
  params: bucketPath,
  responses: { 200: { description: 'Tables, sorted by id.', schema: z.array(tableSchema) } },
  handle: async ({ params }, context, { signal }) =>
    ok((await bucketAt(context, params, { signal })).tables.map((table) => tableView(table, context.addresses))),
});

const force = z.object({
  force: maybe(z.enum(['true', 'false', '1', '0'])).meta({
    description: '`true`: with its tables. None of them may be filled by a sink.',
  }),
});

export const deleteBucketRoute = defineChange({
  method: 'DELETE',
  path: one,
  access: 'manageBuckets',
  operationId: 'deleteBucket',
  summary: 'Delete a bucket. Refused while tables are in it, unless `force` deletes them, too.',
  params: bucketPath,
  query: force,
  refuses: ['bucketNotEmpty', 'bucketValidation', 'tableInUse'],
  responses: { 204: { description: 'It is gone.' } },
  handle: async ({ params, query }, context, { change, signal }) => {
    const isForced = query.force === 'true' || query.force === '1';
    await deleteBucket(context, { bucketId: idOf(params), force: isForced, change }, { signal });
    return { kind: 'empty', status: 204 };
  },
});

interface BucketPath {
  readonly bucketId: string;
}

async function bucketAt(context: ApiContext, path: BucketPath, options: Waiting): Promise<FoundBucket> {
  const found = await findBucket(context, idOf(path), options);
  if (found === undefined) throw bucketNotFound(path);
  return found;
}

/** What can be no id is that of no bucket. */
function idOf(path: BucketPath): BucketId {
  try {
    return parseBucketId(path.bucketId);
  } catch (thrown) {
    if (thrown instanceof MillraceError) throw bucketNotFound(path);
    throw thrown;
  }
}

function bucketNotFound({ bucketId }: BucketPath): ApiError {
  return new ApiError('bucketNotFound', `the bucket "${bucketId.slice(0, 300)}" was not found in the project`);
}
