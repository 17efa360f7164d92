import { tableNotFound } from '../../core/table-fault.ts';
import type { TableId } from '../../core/table-id.ts';
import type { PreviewQuery, TablePreview } from '../../ports/table-pages.ts';
import type { PostgresConnection } from './client.ts';
import { rowsThatFit } from '../rows-that-fit.ts';
import { columnsToShow } from '../table-requests.ts';
import { lockTable } from './lock-table.ts';
import { indexedRows } from './make-table.ts';
import { identifier, orderColumn, storedColumn, tableOf } from './table-names.ts';
import type { StoredTable } from './table-registry.ts';

/** The first rows in the order of loading. `table.notFound`; `input.invalid` for a column that the table does not have. */
export async function previewRows(
  connection: PostgresConnection,
  query: PreviewQuery & { readonly tableId: TableId },
): Promise<TablePreview> {
  const { tableId, limit, maxBytes } = query;
  const table = await beginReading(connection, tableId);
  const known = table.columns.map(({ name }) => name);
  const columns = columnsToShow(tableId, known, query);
  const isEmpty = columns.length === 0 || limit === 0;
  const shown = isEmpty ? { rows: [] } : await rowsWithin(connection, table, { columns, limit, maxBytes });
  await connection.query('COMMIT');
  return { columns, ...shown };
}

interface Wanted {
  readonly columns: readonly string[];
  readonly limit: number;
  readonly maxBytes: number | undefined;
}

/** The sizes first: what is too much never leaves the server. The transaction sees the same rows twice. */
async function rowsWithin(
  connection: PostgresConnection,
  table: StoredTable,
  { columns, limit, maxBytes }: Wanted,
): Promise<Omit<TablePreview, 'columns'>> {
  // A cell is no text, or NULL, only where somebody has changed the table by hand.
  const cells = columns.map((column) => `coalesce(${identifier(storedColumn(column))}::text, '')`);
  if (maxBytes === undefined) return { rows: await firstRows(connection, table, { cells, limit }) };
  // Without a number rows have no order of their own: both looks must begin at the same place.
  if (!table.hasOrder) await connection.query('SET LOCAL synchronize_seqscans = off');
  const size = cells.map((cell) => `octet_length(${cell})::bigint`).join(' + ');
  const sizes = (await firstRows(connection, table, { cells: [size], limit })).map(([bytes]) => Number(bytes));
  const fitting = rowsThatFit(sizes, maxBytes);
  const rows = fitting === 0 ? [] : await firstRows(connection, table, { cells, limit: fitting });
  return { rows, ...(fitting < sizes.length ? { isCut: true } : {}) };
}

/** Begins a transaction that sees the table as of one moment; nobody can change its columns until it ends. `table.notFound`. */
export async function beginReading(connection: PostgresConnection, tableId: TableId): Promise<StoredTable> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const table = await lockTable(connection, tableId, 'reading');
  if (!table.isShown) throw tableNotFound(tableId);
  return table;
}

async function firstRows(
  connection: PostgresConnection,
  table: StoredTable,
  { cells, limit }: { readonly cells: readonly string[]; readonly limit: number },
): Promise<readonly (readonly string[])[]> {
  const order = identifier(orderColumn);
  const select = async (rest: string): Promise<readonly (readonly string[])[]> => {
    const text = `SELECT ${cells.join(', ')} FROM ${tableOf(table.tableId)} ${rest} LIMIT ${limit}`;
    const { rows } = await connection.query<string[]>({ text, rowMode: 'array' });
    return rows;
  };
  if (!table.hasOrder) return select('');
  const indexed = await select(`WHERE ${order} <= ${indexedRows} ORDER BY ${order}`);
  if (indexed.length === limit || indexed.length === table.rows) return indexed;
  return select(`ORDER BY ${order}`);
}
