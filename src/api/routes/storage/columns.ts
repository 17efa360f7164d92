import { z } from 'zod';
import { addColumn, dropColumn } from '../../../control/operations/change-columns.ts';
import { addColumnBody } from '../../schemas/add-column-body.ts';
import { tablePath } from '../../schemas/path.ts';
import { tableSchema, tableView } from '../../views/table-view.ts';
import { defineChange } from '../../route/route.ts';
import { describe } from './tables.ts';

const path = '/v2/storage/tables/{tableId}/columns';

export const addColumnRoute = defineChange({
  method: 'POST',
  path,
  access: 'writeTables',
  operationId: 'addColumn',
  summary:
    'Add a column of text at the end of a table, empty in its rows. Refused while a sink fills it, which has no such column.',
  params: tablePath,
  bodyKind: 'fields',
  body: addColumnBody,
  refuses: ['invalidColumnName', 'columnAlreadyExists', 'tableInUse'],
  responses: { 201: { description: 'The table.', schema: tableSchema } },
  handle: async ({ params, body: { name } }, context, { change, signal }) => {
    const { tableId } = await describe(context, params, { signal });
    const table = await addColumn(context, { tableId, column: name, change }, { signal });
    return { kind: 'json', status: 201, body: tableView(table, context.addresses) };
  },
});

export const dropColumnRoute = defineChange({
  method: 'DELETE',
  path: `${path}/{columnName}`,
  access: 'writeTables',
  operationId: 'dropColumn',
  summary:
    'Drop a column of a table with all its cells. Refused while a sink that fills the table has it, and when the primary key does.',
  params: tablePath.extend({ columnName: z.string().meta({ example: 'total' }) }),
  refuses: ['tableInUse', 'tableValidation'],
  responses: { 204: { description: 'It is gone.' } },
  handle: async ({ params }, context, { change, signal }) => {
    const { tableId } = await describe(context, params, { signal });
    await dropColumn(context, { tableId, column: params.columnName, change }, { signal });
    return { kind: 'empty', status: 204 };
  },
});
