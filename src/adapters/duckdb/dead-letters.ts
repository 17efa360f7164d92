import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { deadLetterColumns, letterKeyColumns, type DeadLetterCells } from '../../core/dead-letter.ts';
import type { Incarnation } from '../../core/ids.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import type { NextLetters } from '../../ports/dead-letters.ts';
import { interruptible } from '../duckdb-engine/interruptible.ts';
import { csvCell, ordinaryLineBytes, readCsv } from '../duckdb-engine/read-csv.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { letterCells } from '../letter-cells.ts';
import { letterOrder, letterTests, type LetterCells } from '../letters-behind.ts';
import { rowsThatFit } from '../rows-that-fit.ts';
import { cellOf, rowFilter } from './row-conditions.ts';
import { hasTable } from './has-table.ts';
import { tableOf } from './table-sql.ts';
import { textOfBytes } from './text-of-bytes.ts';
import { transaction } from './transaction.ts';

const table = tableOf(deadLetterTable);

const cells: LetterCells = { text: cellOf, number: (column) => `TRY_CAST(${identifier(column)} AS BIGINT)` };

/** The next letters behind a key, of one moment. */
export async function nextLetters(
  connection: DuckDBConnection,
  { incarnation, where, after, limit, maxBytes, signal }: NextLetters & { readonly signal: AbortSignal },
): Promise<readonly DeadLetterCells[]> {
  const { clause, values } = rowFilter([{ column: 'incarnation', value: String(incarnation) }, ...where]);
  const given = [...values, ...(after === undefined ? [] : [after.eventId])];
  const tests = letterTests(after, `$${given.length}`, cells);
  const found = `FROM ${table}${[clause, ...tests].join(' AND ')} ORDER BY ${letterOrder(cells)}`;
  const select = async (columns: readonly string[], most: number): Promise<readonly (readonly DuckDBValue[])[]> => {
    const statement = `SELECT ${columns.join(', ')} ${found} LIMIT ${most}`;
    return (await interruptible(connection, signal, () => connection.runAndReadAll(statement, [...given]))).getRows();
  };
  return transaction(connection, async () => {
    if (!(await hasTable(connection, deadLetterTable))) return [];
    const size = deadLetterColumns.map((column) => `strlen(${cellOf(column)})`).join(' + ');
    const sizes = (await select([`CAST(${size} AS DOUBLE)`], limit)).map(([bytes]) => Number(bytes));
    if (sizes.length === 0) return [];
    const rows = await select(
      deadLetterColumns.map((column) => `encode(${cellOf(column)})`),
      Math.max(1, rowsThatFit(sizes, maxBytes)),
    );
    return rows.map((row) => letterCells(row.map(textOfBytes)));
  });
}

/** Deletes the letters of an incarnation that files name, in the transaction under way; answers how many that were. */
export async function takeLetters(
  connection: DuckDBConnection,
  incarnation: Incarnation,
  paths: readonly string[],
): Promise<number> {
  if (paths.length === 0 || !(await hasTable(connection, deadLetterTable))) return 0;
  const named = readCsv(paths, { columnCount: letterKeyColumns.length, lineBytes: ordinaryLineBytes });
  const keys = letterKeyColumns.map((_, at) => csvCell(at)).join(', ');
  const { rowsChanged } = await connection.run(
    `DELETE FROM ${table} WHERE ${cellOf('incarnation')} = $1
      AND (${letterKeyColumns.map(identifier).join(', ')}) IN (SELECT (${keys}) FROM ${named})`,
    [String(incarnation)],
  );
  return rowsChanged;
}
