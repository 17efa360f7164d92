import { createTable } from '../../../control/operations/create-table.ts';
import { isReservedTable, parseTableId, tableName, type TableId } from '../../../core/table-id.ts';
import { ApiError } from '../../errors/api-error.ts';
import { defineChange } from '../../route/route.ts';
import { createTableBody } from '../../schemas/create-table-body.ts';
import { bucketPath } from '../../schemas/path.ts';
import { tableSchema, tableView } from '../../views/table-view.ts';

export const createTableRoute = defineChange({
  method: 'POST',
  path: '/v2/storage/buckets/{bucketId}/tables-definition',
  access: 'writeTables',
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
