import { tableNotFound } from '../../core/table-fault.ts';
import type { TableId } from '../../core/table-id.ts';
import type { CellCondition, PreviewQuery, TablePreview } from '../../ports/table-pages.ts';
import type { PostgresConnection } from './client.ts';
import { rowsThatFit } from '../rows-that-fit.ts';
import { columnsToShow } from '../table-requests.ts';
import { lockTable } from './lock-table.ts';
import { indexedRows } from './make-table.ts';
import { cellOf, rowTests, whereClause } from './row-conditions.ts';
import { identifier, orderColumn, tableOf } from './table-names.ts';
import type { StoredTable } from './table-registry.ts';

/**
 * The first or the last rows in the order of loading. `table.notFound`; `input.invalid` for a column that the table does not have, and
 * for a value that no cell can be.
 */
export async function previewRows(
  connection: PostgresConnection,
  query: PreviewQuery & { readonly tableId: TableId },
): Promise<TablePreview> {
  const { tableId, limit, maxBytes, where = [], last = false } = query;
  const table = await beginReading(connection, tableId);
  const known = table.columns.map(({ name }) => name);
  const columns = columnsToShow(tableId, known, query);
  const isEmpty = columns.length === 0 || limit === 0;
  const shown = isEmpty ? { rows: [] } : await rowsWithin(connection, table, { columns, limit, maxBytes, where, last });
  await connection.query('COMMIT');
  return { columns, ...shown };
}

interface Wanted {
  readonly columns: readonly string[];
  readonly limit: number;
  readonly maxBytes: number | undefined;
  readonly where: readonly CellCondition[];
  readonly last: boolean;
}

/** The sizes first: what is too much never leaves the server. The transaction sees the same rows twice. */
async function rowsWithin(
  connection: PostgresConnection,
  table: StoredTable,
  { columns, limit, maxBytes, where, last }: Wanted,
): Promise<Omit<TablePreview, 'columns'>> {
  const cells = columns.map(cellOf);
  const select = async (selected: readonly string[], most: number): Promise<TablePreview['rows']> => {
    const rows = await selectRows(connection, table, { cells: selected, limit: most, where, last });
    return last ? rows.toReversed() : rows;
  };
  if (maxBytes === undefined) return { rows: await select(cells, limit) };
  // Without a number rows have no order of their own: both looks must begin at the same place.
  if (!table.hasOrder) await connection.query('SET LOCAL synchronize_seqscans = off');
  const size = cells.map((cell) => `octet_length(${cell})::bigint`).join(' + ');
  const sizes = (await select([size], limit)).map(([bytes]) => Number(bytes));
  const fitting = rowsThatFit(last ? sizes.toReversed() : sizes, maxBytes);
  const rows = fitting === 0 ? [] : await select(cells, fitting);
  return { rows, ...(fitting < sizes.length ? { isCut: true } : {}) };
}

/** Begins a transaction that sees the table as of one moment; nobody can change its columns until it ends. `table.notFound`. */
export async function beginReading(connection: PostgresConnection, tableId: TableId): Promise<StoredTable> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const table = await lockTable(connection, tableId, 'reading');
  if (!table.isShown) throw tableNotFound(tableId);
  return table;
}

interface Selected extends Pick<Wanted, 'limit' | 'where' | 'last'> {
  readonly cells: readonly string[];
}

/** Of the rows for which all conditions hold: the first, or the last with the last one before all others. */
async function selectRows(
  connection: PostgresConnection,
  table: StoredTable,
  { cells, limit, where, last }: Selected,
): Promise<TablePreview['rows']> {
  const order = identifier(orderColumn);
  const { tests, values } = rowTests(where);
  const select = async (bounds: readonly string[], sorted: string): Promise<TablePreview['rows']> => {
    const filter = whereClause([...bounds, ...tests]);
    const text = `SELECT ${cells.join(', ')} FROM ${tableOf(table.tableId)}${filter}${sorted} LIMIT ${limit}`;
    const { rows } = await connection.query<string[]>({ text, values: [...values], rowMode: 'array' });
    return rows;
  };
  // Without a number the place in the file is all that tells.
  if (!table.hasOrder) return select([], last ? ' ORDER BY ctid DESC' : '');
  if (last) return select([], ` ORDER BY ${order} DESC`);
  const indexed = await select([`${order} <= ${indexedRows}`], ` ORDER BY ${order}`);
  if (indexed.length === limit || indexed.length === table.rows) return indexed;
  return select([], ` ORDER BY ${order}`);
}
