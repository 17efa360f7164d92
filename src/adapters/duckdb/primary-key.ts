import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableId } from '../../core/table-id.ts';
import { identifier, literal } from '../duckdb-engine/sql.ts';
import { tableOf } from './table-sql.ts';

const mark = /^millrace: column (\d+) of (\d+) of the primary key$/;

/**
 * The key that the comments of the columns tell, in its order; none when it is not whole any more. It stands there, so that it goes where
 * table and columns go, by whomever they are renamed or dropped. A key of the database itself would keep an index of all rows in memory,
 * and refuse a row that is removed and added in one transaction.
 */
export function primaryKeyOf(columns: readonly string[], comments: readonly string[]): readonly string[] {
  const marked = columns
    .map((column, at) => {
      const [, place, of] = mark.exec(comments[at] ?? '') ?? [];
      return { column, place: Number(place ?? 0), of: Number(of ?? 0) };
    })
    .filter(({ place }) => place > 0)
    .toSorted((a, b) => a.place - b.place);
  const isWhole = marked.every(({ place, of }, at) => place === at + 1 && of === marked.length);
  return isWhole ? marked.map(({ column }) => column) : [];
}

/** Changes the key of a table, in the transaction of the caller. */
export async function writePrimaryKey(
  connection: DuckDBConnection,
  tableId: TableId,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<void> {
  const comment = async (column: string, text: string): Promise<void> => {
    await connection.run(`COMMENT ON COLUMN ${tableOf(tableId)}.${identifier(column)} IS ${text}`);
  };
  for (const column of before) if (!after.includes(column)) await comment(column, 'NULL');
  for (const [at, column] of after.entries())
    await comment(column, literal(`millrace: column ${at + 1} of ${after.length} of the primary key`));
}
