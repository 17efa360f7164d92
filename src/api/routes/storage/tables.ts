import { z } from 'zod';
import { bucketOf } from '../../../core/bucket.ts';
import { parseTableId, type TableId } from '../../../core/table-id.ts';
import { nearestOf } from '../../../core/nearest-of.ts';
import { parseJsonText } from '../../../core/parse-json-text.ts';
import { shortened } from '../../../core/shortened.ts';
import { textFault } from '../../../mapping/refusals.ts';
import type { CellEquals, ExportFormat } from '../../../ports/table-pages.ts';
import type { TableDescription } from '../../../ports/tables.ts';
import type { ApiContext } from '../../api-context.ts';
import { ApiError } from '../../errors/api-error.ts';
import { maybe } from '../../schemas/field.ts';
import { tablePath } from '../../schemas/path.ts';
import { previewCsv, previewSchema, previewView, tableSchema, tableView } from '../../views/table-view.ts';
import { defineRoute, ok } from '../../route/route.ts';
import { maySee } from './may-see.ts';

const path = '/v2/storage/tables';

export const listTablesRoute = defineRoute({
  method: 'GET',
  path,
  access: 'readTables',
  operationId: 'listTables',
  summary: 'List all tables that the caller may see, the dead letter table included.',
  responses: { 200: { description: 'Tables, sorted by id.', schema: z.array(tableSchema) } },
  handle: async (_, { tables, addresses }, { token, signal }) => {
    const seen = (await tables.listTables({ signal })).filter(({ tableId }) => maySee(token, bucketOf(tableId)));
    return ok(seen.map((table) => tableView(table, addresses)));
  },
});

export const getTableRoute = defineRoute({
  method: 'GET',
  path: `${path}/{tableId}`,
  access: 'readTables',
  operationId: 'getTable',
  summary: 'Get a table with its columns.',
  params: tablePath,
  responses: { 200: { description: 'The table.', schema: tableSchema } },
  handle: async ({ params }, context, { signal }) =>
    ok(tableView(await describe(context, params, { signal }), context.addresses)),
});

const maxPreview = 1000;
const maxConditions = 20;
/** Of all cells that a preview shows, as text: no row is larger. */
const maxPreviewBytes = 16 * 1024 * 1024;
/** Set on a preview that leaves rows out for it; a CSV has no other place to say so. */
const truncated = { 'Millrace-Truncated': 'true' };
const previewQuery = z.object({
  limit: maybe(z.string()).meta({
    type: 'integer',
    minimum: 1,
    maximum: maxPreview,
    description: `1 to ${maxPreview}, 100 when absent.`,
  }),
  format: maybe(z.enum(['csv', 'rfc', 'json'])).meta({ description: '`csv` (also called `rfc`) when absent.' }),
  columns: maybe(z.string()).meta({ description: 'Names, separated by commas; all when absent.' }),
  where: maybe(z.string()).meta({
    description: `Only rows with these cells: a JSON object of at most ${maxConditions} columns and texts, \`{"customer":"Ada"}\`; compared byte for byte.`,
  }),
  last: maybe(z.enum(['true', 'false'])).meta({
    description: 'With `true` the last rows instead of the first, in the same order.',
  }),
});

export const previewTableRoute = defineRoute({
  method: 'GET',
  path: `${path}/{tableId}/data-preview`,
  access: 'readTables',
  operationId: 'previewTable',
  summary: 'Show the first or the last rows of a table, in the order in which they were loaded.',
  params: tablePath,
  query: previewQuery,
  responses: {
    200: {
      description:
        'Rows as CSV, or with `format=json` as this; with `Millrace-Truncated: true` fewer than the limit, because 16 MB are shown at most.',
      schema: previewSchema,
      contentTypes: ['text/csv'],
      headers: { 'Millrace-Truncated': '`true` when rows within the limit are left out; absent otherwise.' },
    },
  },
  handle: async ({ params, query }, context, { signal }) => {
    const limit = limitOf(query.limit);
    const table = await describe(context, params, { signal });
    const columns = columnsOf(table, query.columns);
    const where = conditionsOf(table, query.where);
    const wanted = { limit, maxBytes: maxPreviewBytes, where, last: query.last === 'true' };
    const shown = columns === undefined ? wanted : { ...wanted, columns };
    const preview = await context.pages.preview(table.tableId, shown, { signal });
    const headers = preview.isCut === true ? truncated : {};
    if (query.format === 'json') return { ...ok(previewView(preview)), headers };
    return { kind: 'text', status: 200, contentType: 'text/csv; charset=utf-8', text: previewCsv(preview), headers };
  },
});

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

export const exportTableRoute = defineRoute({
  method: 'GET',
  path: `${path}/{tableId}/export`,
  access: 'readTables',
  operationId: 'exportTable',
  streams: true,
  summary: 'Stream the whole table.',
  params: tablePath,
  query: z.object({ format: maybe(z.enum(['csv', 'ndjson', 'parquet'])).meta({ description: '`csv` when absent.' }) }),
  responses: {
    200: {
      description: 'The table as CSV with a header line, one JSON object a line, or Parquet.',
      contentTypes: ['text/csv', 'application/x-ndjson', 'application/vnd.apache.parquet'],
      headers: { 'Content-Disposition': 'A file name.' },
    },
  },
  handle: async ({ params, query: { format = 'csv' } }, context, { signal }) => {
    const { tableId } = await describe(context, params, { signal });
    const content = await context.pages.exportTable(tableId, format, { signal });
    return { kind: 'stream', contentType: contentTypes[format], fileName: `${tableId}.${format}`, content };
  },
});

/** The table of a path; `tableNotFound` for anything that is none. */
export async function describe(
  { tables }: Pick<ApiContext, 'tables'>,
  { tableId }: { readonly tableId: string },
  options: { readonly signal: AbortSignal },
): Promise<TableDescription> {
  const id = possibleTableId(tableId);
  const found = id === undefined ? undefined : await tables.describeTable(id, options);
  if (found !== undefined) return found;
  throw new ApiError('tableNotFound', `the table "${tableId.slice(0, 300)}" was not found in the project`);
}

function possibleTableId(text: string): TableId | undefined {
  try {
    return parseTableId(text);
  } catch {
    return undefined;
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return 100;
  const limit = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxPreview) return limit;
  throw new ApiError('tableValidation', `"limit" must be an integer from 1 to ${maxPreview} but got value "${text}"`);
}

function columnsOf(table: TableDescription, text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new ApiError('tableValidation', `"columns" names the column "${twice}" twice`);
  checkColumns(table, names);
  return names;
}

/** `tableValidation` for names of columns that a table does not have, with those that were probably meant. */
function checkColumns({ tableId, columns }: TableDescription, names: readonly string[]): void {
  const unknown = names.filter((name) => !columns.includes(name));
  if (unknown.length === 0) return;
  const nearest = unknown.flatMap((name) => nearestOf(name, columns) ?? []);
  const advice =
    nearest.length === 0 ? `there are ${shortened(columns.join(', '), 500)}` : `did you mean ${quoted(nearest)}?`;
  throw new ApiError('tableValidation', `the table "${tableId}" has no column ${quoted(unknown)}; ${advice}`);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${shortened(name, 100)}"`).join(', ');
}

/** The cells that a row must have: an object of JSON, so that a column may have any name. */
function conditionsOf(table: TableDescription, text: string | undefined): readonly CellEquals[] {
  if (text === undefined) return [];
  const conditions = conditionsIn(jsonOf(text));
  if (conditions === undefined || conditions.length > maxConditions)
    throw new ApiError(
      'tableValidation',
      `"where" must be a JSON object of at most ${maxConditions} columns and texts, as {"customer":"Ada"}, but got value "${shortened(text, 100)}"`,
    );
  const names = conditions.map(({ column }) => column);
  checkColumns(table, names);
  for (const { column, value } of conditions) {
    const fault = textFault(value);
    if (fault === undefined) continue;
    throw new ApiError('tableValidation', `no cell of column "${column}" can be the text in "where": ${fault}`);
  }
  return conditions;
}

/** Undefined for what is no object of texts. No condition may be lost on the way, whatever its column is called. */
function conditionsIn(value: unknown): readonly CellEquals[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const conditions = entries.flatMap(([column, cell]) => (typeof cell === 'string' ? [{ column, value: cell }] : []));
  return conditions.length === entries.length ? conditions : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
