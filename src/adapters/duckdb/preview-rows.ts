import type { DuckDBConnection } from '@duckdb/node-api';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { TablePreview } from '../../ports/table-store.ts';
import { interruptible } from './interruptible.ts';
import { identifier, tableOf } from './sql.ts';
import { describedTable } from './table-catalog.ts';
import { textOfBytes } from './text-of-bytes.ts';

/** The first rows in the order of loading. `table.notFound`; `input.invalid` for a column that the table does not have. */
export async function previewRows(
  connection: DuckDBConnection,
  query: {
    readonly tableId: TableId;
    readonly columns?: readonly string[];
    readonly limit: number;
    readonly signal: AbortSignal;
  },
): Promise<TablePreview> {
  const { columns: known } = await describedTable(connection, query.tableId);
  const columns = query.columns ?? known;
  const unknown = columns.find((column) => !known.includes(column));
  if (unknown !== undefined) {
    throw new MillraceError('input.invalid', `table "${query.tableId}" has no column "${unknown}"`);
  }
  if (!Number.isSafeInteger(query.limit) || query.limit < 0) {
    throw new MillraceError('input.invalid', `Invalid "limit" value ${query.limit}: expected a whole number from 0`);
  }
  if (columns.length === 0) return { columns, rows: [] };
  const cells = columns.map((column) => `encode(${identifier(column)})`).join(', ');
  const found = await interruptible(connection, query.signal, () =>
    connection.runAndReadAll(`SELECT ${cells} FROM ${tableOf(query.tableId)} LIMIT ${query.limit}`),
  );
  return { columns, rows: found.getRows().map((row) => row.map(textOfBytes)) };
}
