import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableId } from '../../core/table-id.ts';
import type { CountedRows, CountQuery } from '../../ports/table-pages.ts';
import { interruptible } from '../duckdb-engine/interruptible.ts';
import { columnsToShow } from '../table-requests.ts';
import { cellOf, rowFilter } from './row-conditions.ts';
import { describedTable } from './table-catalog.ts';
import { tableOf } from './table-sql.ts';
import { textOfBytes } from './text-of-bytes.ts';

type Query = CountQuery & { readonly tableId: TableId; readonly signal: AbortSignal };

/** As the port says. */
export async function countRows(
  connection: DuckDBConnection,
  { tableId, by, where = [], limit, signal }: Query,
): Promise<readonly CountedRows[]> {
  const { columns: known } = await describedTable(connection, tableId);
  columnsToShow(tableId, known, { columns: by, where, limit });
  const { clause, values } = rowFilter(where);
  const cells = by.map((column) => `encode(${cellOf(column)})`);
  const places = by.map((_, at) => at + 1).join(', ');
  const grouped = by.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${places}`;
  const order = [`${by.length + 1} DESC`, ...(places === '' ? [] : [places])].join(', ');
  const statement = `SELECT ${[...cells, 'count(*)'].join(', ')} FROM ${tableOf(tableId)}${clause} ${grouped} ORDER BY ${order} LIMIT ${limit}`;
  const found = await interruptible(connection, signal, () => connection.runAndReadAll(statement, [...values]));
  return found.getRows().map((row) => ({ cells: row.slice(0, -1).map(textOfBytes), rows: Number(row.at(-1)) }));
}
