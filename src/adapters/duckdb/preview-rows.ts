import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { TableId } from '../../core/table-id.ts';
import type { PreviewQuery, TablePreview } from '../../ports/table-pages.ts';
import { rowsThatFit } from '../rows-that-fit.ts';
import { columnsToShow } from '../table-requests.ts';
import { interruptible } from '../duckdb-engine/interruptible.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { rowFilter } from './row-conditions.ts';
import { tableOf } from './table-sql.ts';
import { describedTable } from './table-catalog.ts';
import { textOfBytes } from './text-of-bytes.ts';
import { transaction } from './transaction.ts';

type Query = PreviewQuery & { readonly tableId: TableId; readonly signal: AbortSignal };

/**
 * The first or the last rows in the order of loading. `table.notFound`; `input.invalid` for a column that the table does not have, and
 * for a value that no cell can be.
 */
export async function previewRows(connection: DuckDBConnection, query: Query): Promise<TablePreview> {
  // Both looks are at the same rows.
  return transaction(connection, async () => {
    const { columns: known } = await describedTable(connection, query.tableId);
    const columns = columnsToShow(query.tableId, known, query);
    if (columns.length === 0) return { columns, rows: [] };
    const { limit, maxBytes, last = false } = query;
    const readRows = async (most: number): Promise<TablePreview['rows']> => {
      const cells = columns.map((column) => `encode(${identifier(column)})`);
      const rows = (await select(connection, query, { cells, limit: most })).map((row) => row.map(textOfBytes));
      return last ? rows.toReversed() : rows;
    };
    if (maxBytes === undefined) return { columns, rows: await readRows(limit) };
    // The sizes first: what is too much never leaves the store.
    // A list: a sum of a thousand terms is nested deeper than the parser goes.
    const lengths = columns.map((column) => `strlen(${identifier(column)})`).join(', ');
    const found = await select(connection, query, { cells: [`CAST(list_sum([${lengths}]) AS DOUBLE)`], limit });
    const sizes = found.map(([bytes]) => Number(bytes));
    const fitting = rowsThatFit(sizes, maxBytes);
    const rows = fitting === 0 ? [] : await readRows(fitting);
    return { columns, rows, ...(fitting < sizes.length ? { isCut: true } : {}) };
  });
}

interface Selected {
  readonly cells: readonly string[];
  readonly limit: number;
}

/** Of the rows for which all conditions hold: the first, or the last with the last one before all others. */
async function select(
  connection: DuckDBConnection,
  { tableId, where = [], last = false, signal }: Query,
  { cells, limit }: Selected,
): Promise<readonly (readonly DuckDBValue[])[]> {
  const { clause, values } = rowFilter(where);
  // Numbers of rows rise in the order of loading, in which rows come by themselves.
  const order = last ? ' ORDER BY rowid DESC' : '';
  const statement = `SELECT ${cells.join(', ')} FROM ${tableOf(tableId)}${clause}${order} LIMIT ${limit}`;
  const found = await interruptible(connection, signal, () => connection.runAndReadAll(statement, [...values]));
  return found.getRows();
}
