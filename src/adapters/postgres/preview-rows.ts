import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { TablePreview } from '../../ports/table-store.ts';
import type { PostgresConnection } from './client.ts';
import { lockTable } from './lock-table.ts';
import { indexedRows } from './make-table.ts';
import { identifier, orderColumn, storedColumn, tableOf } from './table-names.ts';
import { notFound, type StoredTable } from './table-registry.ts';

/** The first rows in the order of loading. `table.notFound`; `input.invalid` for a column that the table does not have. */
export async function previewRows(
  connection: PostgresConnection,
  query: { readonly tableId: TableId; readonly columns?: readonly string[]; readonly limit: number },
): Promise<TablePreview> {
  const { tableId, limit } = query;
  const table = await beginReading(connection, tableId);
  const known = table.columns.map(({ name }) => name);
  const columns = query.columns ?? known;
  const unknown = columns.find((column) => !known.includes(column));
  if (unknown !== undefined) throw new MillraceError('input.invalid', `table "${tableId}" has no column "${unknown}"`);
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw new MillraceError('input.invalid', `Invalid "limit" value ${limit}: expected a whole number from 0`);
  }
  const rows = columns.length === 0 || limit === 0 ? [] : await firstRows(connection, table, { columns, limit });
  await connection.query('COMMIT');
  return { columns, rows };
}

/** Begins a transaction that sees the table as of one moment; nobody can change its columns until it ends. `table.notFound`. */
export async function beginReading(connection: PostgresConnection, tableId: TableId): Promise<StoredTable> {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const table = await lockTable(connection, tableId, 'reading');
  if (!table.isShown) throw notFound(tableId);
  return table;
}

async function firstRows(
  connection: PostgresConnection,
  table: StoredTable,
  { columns, limit }: { readonly columns: readonly string[]; readonly limit: number },
): Promise<readonly (readonly string[])[]> {
  const order = identifier(orderColumn);
  // A cell is no text, or NULL, only where somebody has changed the table by hand.
  const cells = columns.map((column) => `coalesce(${identifier(storedColumn(column))}::text, '')`);
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
