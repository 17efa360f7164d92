import { deadLetterColumns, letterKeyColumns, type DeadLetterCells } from '../../core/dead-letter.ts';
import type { Incarnation } from '../../core/ids.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import type { NextLetters } from '../../ports/dead-letters.ts';
import type { ReplacedLetters } from '../../ports/import-ledger.ts';
import { letterCells } from '../letter-cells.ts';
import { letterOrder, letterTests } from '../letters-behind.ts';
import { rowsThatFit } from '../rows-that-fit.ts';
import type { PostgresConnection } from './client.ts';
import { copy } from './copy-contents.ts';
import { isSameLetter, letterKeyCells } from './letter-keys.ts';
import { lockTable } from './lock-table.ts';
import { beginReading } from './preview-rows.ts';
import type { ProgressWatch } from './progress-watch.ts';
import { cellOf, rowTests, whereClause } from './row-conditions.ts';
import { identifier, storedColumn, tableOf } from './table-names.ts';
import { storedTables } from './table-registry.ts';

const table = tableOf(deadLetterTable);

/** The next letters behind a key, of one moment. */
export async function nextLetters(
  connection: PostgresConnection,
  { incarnation, where, after, limit, maxBytes }: NextLetters,
): Promise<readonly DeadLetterCells[]> {
  if (!(await isThere(connection))) return [];
  const { tests, values } = rowTests([{ column: 'incarnation', value: String(incarnation) }, ...where]);
  const given = [...values, ...(after === undefined ? [] : [after.eventId])];
  const clause = whereClause([...tests, ...letterTests(after, `$${given.length}`, letterKeyCells())]);
  const select = async (columns: readonly string[], most: number): Promise<readonly (readonly string[])[]> => {
    const text = `SELECT ${columns.join(', ')} FROM ${table}${clause} ORDER BY ${letterOrder(letterKeyCells())} LIMIT ${most}`;
    return (await connection.query<string[]>({ text, values: [...given], rowMode: 'array' })).rows;
  };
  await beginReading(connection, deadLetterTable);
  const size = deadLetterColumns.map((column) => `octet_length(${cellOf(column)})::bigint`).join(' + ');
  const sizes = (await select([size], limit)).map(([bytes]) => Number(bytes));
  const fitting = Math.max(1, rowsThatFit(sizes, maxBytes));
  const rows = sizes.length === 0 ? [] : await select(deadLetterColumns.map(cellOf), fitting);
  await connection.query('COMMIT');
  return rows.map(letterCells);
}

interface Taking {
  readonly incarnation: Incarnation;
  readonly replaced: ReplacedLetters;
  readonly watch: ProgressWatch;
}

/** Deletes the letters that are named, in the transaction under way; answers how many that were. */
export async function takeLetters(
  connection: PostgresConnection,
  { incarnation, replaced, watch }: Taking,
): Promise<number> {
  const contents = replaced.letters.filter(({ bytes }) => bytes > 0);
  if (contents.length === 0 || !(await isThere(connection))) return 0;
  await lockTable(connection, deadLetterTable, 'rows');
  const aside = 'pg_temp."millrace.letters"';
  const keys = letterKeyColumns.map((column) => identifier(storedColumn(column)));
  await connection.query(
    `CREATE TEMPORARY TABLE "millrace.letters" (${keys.map((key) => `${key} text NOT NULL`).join(', ')}) ON COMMIT DROP`,
  );
  await copy(connection, { tableId: deadLetterTable, contents, target: `${aside} (${keys.join(', ')})` }, watch);
  const { rowCount } = await connection.query(
    `DELETE FROM ONLY ${table} d USING ${aside} n WHERE ${letterKeyCells('d').text('incarnation')} = $1 AND ${isSameLetter('d', 'n')}`,
    [String(incarnation)],
  );
  await connection.query(`DROP TABLE ${aside}`);
  watch.progress();
  return rowCount ?? 0;
}

async function isThere(connection: PostgresConnection): Promise<boolean> {
  return (await storedTables(connection, deadLetterTable)).some(({ isShown }) => isShown);
}
