import type { TableId } from '../../core/table-id.ts';
import type { CountedRows, CountQuery } from '../../ports/table-pages.ts';
import { columnsToShow } from '../table-requests.ts';
import type { PostgresConnection } from './client.ts';
import { beginReading } from './preview-rows.ts';
import { cellOf, rowTests, whereClause } from './row-conditions.ts';
import { tableOf } from './table-names.ts';

/** As the port says. */
export async function countRows(
  connection: PostgresConnection,
  { tableId, by, where = [], limit }: CountQuery & { readonly tableId: TableId },
): Promise<readonly CountedRows[]> {
  const { columns } = await beginReading(connection, tableId);
  const known = columns.map(({ name }) => name);
  columnsToShow(tableId, known, { columns: by, where, limit });
  const { tests, values } = rowTests(where);
  const cells = by.map((column) => `${cellOf(column)} COLLATE "C"`);
  const places = by.map((_, at) => at + 1).join(', ');
  const grouped = by.length === 0 ? 'HAVING count(*) > 0' : `GROUP BY ${places}`;
  const order = [`${by.length + 1} DESC`, ...(places === '' ? [] : [places])].join(', ');
  const text = `SELECT ${[...cells, 'count(*)'].join(', ')} FROM ${tableOf(tableId)}${whereClause(tests)} ${grouped} ORDER BY ${order} LIMIT ${limit}`;
  const { rows } = await connection.query<string[]>({ text, values: [...values], rowMode: 'array' });
  await connection.query('COMMIT');
  return rows.map((row) => ({ cells: row.slice(0, -1), rows: Number(row.at(-1)) }));
}
