import { z } from 'zod';
import { deleteTable, emptyTable, renameTable } from '../../../control/operations/change-table.ts';
import { readDependents } from '../../../control/operations/table-dependents.ts';
import { limits } from '../../../core/limits.ts';
import { boundedText, maybe } from '../../schemas/field.ts';
import { tablePath } from '../../schemas/path.ts';
import { dependentsSchema, dependentsView, tableSchema, tableView } from '../../views/table-view.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';
import { describe } from './tables.ts';

const path = '/v2/storage/tables/{tableId}';

const force = z.object({
  force: maybe(z.enum(['true', 'false'])).meta({
    description: '`true`: also when sinks fill the table or rows wait for it. These wait until there is a table again.',
  }),
});

export const listDependentsRoute = defineRoute({
  method: 'GET',
  path: `${path}/dependents`,
  access: 'readTables',
  operationId: 'listTableDependents',
  summary: 'What depends on a table: sinks that fill it, rows that wait for it, tokens that may write it.',
  params: tablePath,
  responses: { 200: { description: 'What depends on it.', schema: dependentsSchema } },
  handle: async ({ params }, context, { signal }) => {
    const { tableId } = await describe(context, params, { signal });
    return ok(dependentsView(await readDependents(context, tableId, { signal })));
  },
});

export const deleteTableRoute = defineChange({
  method: 'DELETE',
  path,
  access: 'writeTables',
  operationId: 'deleteTable',
  summary:
    'Delete a table with its rows, and its bucket when nothing is left in it. Refused while something depends on it.',
  params: tablePath,
  query: force,
  responses: { 204: { description: 'It is gone.' } },
  refuses: ['tableInUse'],
  handle: async ({ params, query }, context, { change, signal }) => {
    const { tableId } = await describe(context, params, { signal });
    await deleteTable(context, { tableId, force: query.force === 'true', change }, { signal });
    return { kind: 'empty', status: 204 };
  },
});

export const emptyTableRoute = defineChange({
  method: 'DELETE',
  path: `${path}/rows`,
  access: 'writeTables',
  operationId: 'deleteTableRows',
  summary: 'Delete all rows of a table. Refused while something depends on it.',
  params: tablePath,
  query: force,
  responses: { 204: { description: 'It is empty.' } },
  refuses: ['tableInUse'],
  handle: async ({ params, query }, context, { change, signal }) => {
    const { tableId } = await describe(context, params, { signal });
    await emptyTable(context, { tableId, force: query.force === 'true', change }, { signal });
    return { kind: 'empty', status: 204 };
  },
});

const renameBody = z
  .object({
    name: boundedText({ min: 1, max: limits.tableNameLength }).meta({
      description: 'The last part of its id, of letters, digits, `_` and `-`; stage and bucket stay.',
    }),
  })
  .meta({ id: 'RenameTableBody' });

export const renameTableRoute = defineChange({
  method: 'POST',
  path: `${path}/rename`,
  access: 'writeTables',
  operationId: 'renameTable',
  summary: 'Give a table another name in its bucket. Refused while something depends on it.',
  params: tablePath,
  body: renameBody,
  responses: { 200: { description: 'The table under its new id.', schema: tableSchema } },
  refuses: ['tableInUse', 'tableAlreadyExists'],
  handle: async ({ params, body: { name } }, context, { change, signal }) => {
    const { tableId } = await describe(context, params, { signal });
    return ok(tableView(await renameTable(context, { tableId, name, change }, { signal }), context.addresses));
  },
});
