import { z } from 'zod';
import { createTable } from '../../../control/operations/create-table.ts';
import { isReservedTable, parseTableId, tableName, type TableId } from '../../../core/table-id.ts';
import type { TableDescription } from '../../../ports/tables.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import { ApiError } from '../../errors/api-error.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';
import { createTableBody } from '../../schemas/create-table-body.ts';
import { bucketPath } from '../../schemas/path.ts';
import { bucketIdOf, bucketSchema, bucketViews } from '../../views/bucket-view.ts';
import { tableSchema, tableView } from '../../views/table-view.ts';

const path = '/v2/storage/buckets';

export const listBucketsRoute = defineRoute({
  method: 'GET',
  path,
  access: 'read',
  operationId: 'listBuckets',
  summary: 'List all buckets. A bucket is there as long as there is a table in it.',
  responses: { 200: { description: 'Buckets, sorted by id.', schema: z.array(bucketSchema) } },
  handle: async (_, { tables, addresses }, { signal }) =>
    ok([...bucketViews(await tables.listTables({ signal }), addresses)]),
});

export const getBucketRoute = defineRoute({
  method: 'GET',
  path: `${path}/{bucketId}`,
  access: 'read',
  operationId: 'getBucket',
  summary: 'Get a bucket.',
  params: bucketPath,
  responses: { 200: { description: 'The bucket.', schema: bucketSchema } },
  handle: async ({ params }, context, { signal }) => {
    const [bucket] = bucketViews(await tablesIn(context, params, { signal }), context.addresses);
    if (bucket === undefined) throw bucketNotFound(params.bucketId);
    return ok(bucket);
  },
});

export const listBucketTablesRoute = defineRoute({
  method: 'GET',
  path: `${path}/{bucketId}/tables`,
  access: 'read',
  operationId: 'listBucketTables',
  summary: 'List the tables of a bucket.',
  params: bucketPath,
  responses: { 200: { description: 'Tables, sorted by id.', schema: z.array(tableSchema) } },
  handle: async ({ params }, context, { signal }) => {
    const tables = await tablesIn(context, params, { signal });
    if (tables.length === 0) throw bucketNotFound(params.bucketId);
    return ok(tables.map((table) => tableView(table, context.addresses)));
  },
});

export const createTableRoute = defineChange({
  method: 'POST',
  path: `${path}/{bucketId}/tables-definition`,
  access: 'write',
  operationId: 'createTable',
  summary: 'Make an empty table with columns of text, and its bucket where there is none yet.',
  params: bucketPath,
  body: createTableBody,
  responses: { 201: { description: 'The table.', schema: tableSchema } },
  refuses: ['tableAlreadyExists', 'tableValidation'],
  handle: async ({ params: { bucketId }, body }, context, { change, signal }) => {
    const tableId = newTableId(bucketId, body.name);
    const columns = body.columns.map(({ name }) => name);
    checkTwice('columns', columns);
    const primaryKey = body.primaryKeysNames ?? [];
    checkTwice('primaryKeysNames', primaryKey);
    const unknown = primaryKey.find((name) => !columns.includes(name));
    if (unknown !== undefined)
      throw new ApiError('tableValidation', `body.primaryKeysNames names "${unknown}", which is none of body.columns`);
    const table = await createTable(context, { tableId, columns, primaryKey, change }, { signal });
    return { kind: 'json', status: 201, body: tableView(table, context.addresses) };
  },
});

async function tablesIn(
  { tables }: Pick<ApiContext, 'tables'>,
  { bucketId }: { readonly bucketId: string },
  options: Waiting,
): Promise<readonly TableDescription[]> {
  return (await tables.listTables(options)).filter((table) => bucketIdOf(table) === bucketId);
}

function bucketNotFound(bucketId: string): ApiError {
  return new ApiError('bucketNotFound', `the bucket "${bucketId.slice(0, 300)}" was not found in the project`);
}

/** `input.invalid` for what can be no id, and for the stage of the product's own tables. */
function newTableId(bucketId: string, name: string): TableId {
  const tableId = parseTableId(`${bucketId}.${name}`);
  if (tableName(tableId).stage !== 'sys' && !isReservedTable(tableId)) return tableId;
  throw new ApiError('tableValidation', `the table "${tableId}" cannot be made: "sys" holds the product's own tables`);
}

/** Stores of tables tell no letter case apart. */
function checkTwice(field: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (seen.has(key))
      throw new ApiError(
        'tableValidation',
        `body.${field} names the column "${name}" twice, in one letter case or another`,
      );
    seen.add(key);
  }
}
