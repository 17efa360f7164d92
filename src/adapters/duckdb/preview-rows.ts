import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableId } from '../../core/table-id.ts';
import type { PreviewQuery, TablePreview } from '../../ports/table-pages.ts';
import { rowsThatFit } from '../rows-that-fit.ts';
import { columnsToShow } from '../table-requests.ts';
import { interruptible } from '../duckdb-engine/interruptible.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { tableOf } from './table-sql.ts';
import { describedTable } from './table-catalog.ts';
import { textOfBytes } from './text-of-bytes.ts';

/** The first rows in the order of loading. `table.notFound`; `input.invalid` for a column that the table does not have. */
export async function previewRows(
  connection: DuckDBConnection,
  query: PreviewQuery & { readonly tableId: TableId; readonly signal: AbortSignal },
): Promise<TablePreview> {
  const { columns: known } = await describedTable(connection, query.tableId);
  const columns = columnsToShow(query.tableId, known, query);
  if (columns.length === 0) return { columns, rows: [] };
  const select = async (cells: readonly string[], limit: number) => {
    const statement = `SELECT ${cells.join(', ')} FROM ${tableOf(query.tableId)} LIMIT ${limit}`;
    const found = await interruptible(connection, query.signal, () => connection.runAndReadAll(statement));
    return found.getRows();
  };
  const readRows = async (limit: number): Promise<TablePreview['rows']> => {
    const cells = columns.map((column) => `encode(${identifier(column)})`);
    return (await select(cells, limit)).map((row) => row.map(textOfBytes));
  };
  const { limit, maxBytes } = query;
  if (maxBytes === undefined) return { columns, rows: await readRows(limit) };
  // The sizes first: what is too much never leaves the store. Rows are only added at the end.
  const size = columns.map((column) => `strlen(${identifier(column)})`).join(' + ');
  const sizes = (await select([`CAST(${size} AS DOUBLE)`], limit)).map(([bytes]) => Number(bytes));
  const fitting = rowsThatFit(sizes, maxBytes);
  const rows = fitting === 0 ? [] : await readRows(fitting);
  return { columns, rows, ...(fitting < sizes.length ? { isCut: true } : {}) };
}
