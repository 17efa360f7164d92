import { z } from 'zod';
import { createStorageJob } from '../../../control/imports/create-storage-job.ts';
import { listStorageJobs } from '../../../control/imports/storage-jobs.ts';
import { parseTableId } from '../../../core/table-id.ts';
import { ApiError } from '../../errors/api-error.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import { createTableFromFileBody, formOf, importBody } from '../../schemas/import-body.ts';
import { bucketPath, jobPath, tablePath } from '../../schemas/path.ts';
import { storageJobSchema, storageJobView } from '../../views/storage-job-view.ts';
import { accepted, defineChange, defineRoute, ok } from '../../route/route.ts';
import { describe } from '../storage/tables.ts';
import { requireSeenFile, requireSeenStorageJob, seenCreator } from './own-files.ts';

const jobs = '/v2/storage/jobs';
const job = { description: 'The job, which goes on after this answer.', schema: storageJobSchema };

export const createTableFromFileRoute = defineChange({
  method: 'POST',
  path: '/v2/storage/buckets/{bucketId}/tables-async',
  access: 'writeTables',
  operationId: 'createTableFromFile',
  summary: 'Make a table of a file that was uploaded, a CSV, compressed with gzip or not: a job does it.',
  params: bucketPath,
  bodyKind: 'fields',
  body: createTableFromFileBody,
  refuses: ['tableValidation', 'bucketTableAlreadyExists', 'fileNotFound', 'fileNotUploaded'],
  responses: { 202: job },
  handle: async ({ params, body }, context, { token, change, signal }) => {
    const { name } = body;
    if (name === undefined) throw missing('name');
    const tableId = parseTableId(`${params.bucketId}.${name}`);
    const primaryKey = body.primaryKey ?? body['primaryKey[]'] ?? [];
    const request = {
      operation: 'tableCreate',
      tableId,
      fileId: fileOf(body),
      form: formOf(body),
      primaryKey,
      isIncremental: true,
    } as const;
    await requireSeenFile(context, { fileId: request.fileId, token }, { signal });
    return accepted(
      storageJobView(await createStorageJob(context, { request, change }, { signal }), context.addresses),
    );
  },
});

export const importTableRoute = defineChange({
  method: 'POST',
  path: '/v2/storage/tables/{tableId}/import-async',
  access: 'writeTables',
  operationId: 'importTable',
  summary:
    'Load a table from a file that was uploaded, a CSV, compressed with gzip or not: a job does it, once or not at all.',
  params: tablePath,
  bodyKind: 'fields',
  body: importBody,
  refuses: ['tableValidation', 'tableInUse', 'fileNotFound', 'fileNotUploaded'],
  responses: { 202: job },
  handle: async ({ params, body }, context, { token, change, signal }) => {
    const { tableId } = await describe(context, params, { signal });
    const { incremental: isIncremental = false } = body;
    const request = {
      operation: 'tableImport',
      tableId,
      fileId: fileOf(body),
      form: formOf(body),
      primaryKey: [],
      isIncremental,
    } as const;
    await requireSeenFile(context, { fileId: request.fileId, token }, { signal });
    return accepted(
      storageJobView(await createStorageJob(context, { request, change }, { signal }), context.addresses),
    );
  },
});

export const getStorageJobRoute = defineRoute({
  method: 'GET',
  path: `${jobs}/{jobId}`,
  access: 'readTables',
  operationId: 'getStorageJob',
  summary: 'Get a job of the storage interface: how a load of a file stands, or how it ended.',
  params: jobPath,
  responses: { 200: { description: 'The job.', schema: storageJobSchema } },
  handle: async ({ params: { jobId } }, context, { token, signal }) =>
    ok(storageJobView(await requireSeenStorageJob(context, { jobId, token }, { signal }), context.addresses)),
});

const listQuery = z.object({
  limit: maybe(integerText({ name: 'limit', min: 1, max: 500 })).meta({ description: '100 when absent.' }),
  offset: maybe(integerText({ name: 'offset', min: 0, max: 1_000_000_000 })),
});

export const listStorageJobsRoute = defineRoute({
  method: 'GET',
  path: jobs,
  access: 'readTables',
  operationId: 'listStorageJobs',
  summary:
    'List the jobs of the storage interface, the newest first: all, or those of the caller when it is limited to some buckets.',
  query: listQuery,
  responses: { 200: { description: 'A page of jobs.', schema: z.array(storageJobSchema) } },
  handle: async ({ query: { limit = 100, offset = 0 } }, context, { token, signal }) => {
    const found = await listStorageJobs(context, { creator: seenCreator(token), limit, offset }, { signal });
    return ok(found.map((one) => storageJobView(one, context.addresses)));
  },
});

function fileOf({ dataFileId }: { readonly dataFileId?: number | undefined }): string {
  if (dataFileId === undefined) throw missing('dataFileId');
  return String(dataFileId);
}

function missing(field: string): ApiError {
  return new ApiError('tableValidation', `"${field}" is missing from body`);
}
