import type { DuckDBConnection } from '@duckdb/node-api';
import { columnsAfter, type ColumnChange } from '../../core/column-change.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { columnMismatch, tableNotFound } from '../../core/table-fault.ts';
import { deadLetterTable, tableName, type TableId } from '../../core/table-id.ts';
import type { LettersToDelete } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { interruptible } from '../duckdb-engine/interruptible.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { checkColumnNames, checkKeptKey, columnsToShow } from '../table-requests.ts';
import { hasTable } from './has-table.ts';
import { checkLetterCase, columnsOf, describedTable, makeAnew } from './table-catalog.ts';
import { dependable } from './dependable.ts';
import { keepingViews } from './keeping-views.ts';
import { rowFilter } from './row-conditions.ts';
import { tableOf } from './table-sql.ts';
import { transaction } from './transaction.ts';

/** Changes the columns of a table, in one transaction; the errors of the port. */
export async function changeColumns(
  connection: DuckDBConnection,
  tableId: TableId,
  change: ColumnChange,
): Promise<void> {
  const after = columnsAfter(change);
  checkColumnNames(after);
  checkLetterCase(after);
  await transaction(connection, async () => {
    const { primaryKey } = await describedTable(connection, tableId);
    const found = await columnsOf(connection, tableId);
    if (columnMismatch({ tableId, expected: after, found }) === undefined) return;
    const mismatch = columnMismatch({ tableId, expected: change.before, found });
    if (mismatch !== undefined) throw mismatch;
    checkKeptKey(tableId, primaryKey, change.dropped);
    await keepingViews(connection, tableId, () => alterColumns(connection, tableId, change));
  });
}

/** In the transaction of the caller; `table.inUse`. */
export async function alterColumns(
  connection: DuckDBConnection,
  tableId: TableId,
  change: Omit<ColumnChange, 'before'>,
): Promise<void> {
  for (const alteration of alterationsOf(change))
    await dependable(tableId, connection.run(`ALTER TABLE ${tableOf(tableId)} ${alteration}`));
}

/** A column is made with a default, which the rows that are there get. */
function alterationsOf({ dropped, renamed, added }: Omit<ColumnChange, 'before'>): readonly string[] {
  return [
    ...dropped.map((name) => `DROP COLUMN ${identifier(name)}`),
    ...renamed.map(({ from, to }) => `RENAME COLUMN ${identifier(from)} TO ${identifier(to)}`),
    ...added.flatMap((name) => [
      `ADD COLUMN ${identifier(name)} VARCHAR DEFAULT ''`,
      `ALTER COLUMN ${identifier(name)} DROP DEFAULT`,
      `ALTER COLUMN ${identifier(name)} SET NOT NULL`,
    ]),
  ];
}

/** Makes the table anew: rows that are only deleted would stay in its count. The errors of the port. */
export async function removeRows(connection: DuckDBConnection, tableId: TableId): Promise<void> {
  await transaction(connection, async () => {
    await makeAnew(connection, tableId, await describedTable(connection, tableId));
  });
}

/** In one transaction; the errors of the port. */
export async function deleteLetters(
  connection: DuckDBConnection,
  { where, limit, signal }: LettersToDelete & Waiting,
): Promise<number> {
  return await transaction(connection, async () => {
    if (!(await hasTable(connection, deadLetterTable))) return 0;
    const columns = await columnsOf(connection, deadLetterTable);
    columnsToShow(
      deadLetterTable,
      columns.map(({ name }) => name),
      { where, limit },
    );
    const { clause, values } = rowFilter(where);
    const table = tableOf(deadLetterTable);
    const some = `SELECT rowid FROM ${table}${clause} ORDER BY rowid LIMIT ${limit}`;
    const statement = `DELETE FROM ${table} WHERE rowid IN (${some})`;
    const { rowsChanged } = await interruptible(connection, signal, () => connection.run(statement, [...values]));
    return rowsChanged;
  });
}

/** Gives a table another name in its schema; the errors of the port. */
export async function renameWithin(connection: DuckDBConnection, tableId: TableId, to: TableId): Promise<void> {
  await transaction(connection, async () => {
    if (!(await hasTable(connection, tableId))) throw tableNotFound(tableId);
    if (to === tableId) return;
    if (await hasTable(connection, to)) throw new MillraceError('table.exists', `table "${to}" exists already`);
    await keepingViews(connection, tableId, () => dependable(tableId, renameTo(connection, tableId, to)));
  });
}

/** Removes a table for good; the errors of the port. */
export async function removeTable(connection: DuckDBConnection, tableId: TableId): Promise<void> {
  await transaction(connection, () =>
    keepingViews(connection, tableId, () => dependable(tableId, connection.run(`DROP TABLE ${tableOf(tableId)}`))),
  );
}

async function renameTo(connection: DuckDBConnection, tableId: TableId, to: TableId): Promise<void> {
  try {
    await connection.run(`ALTER TABLE ${tableOf(tableId)} RENAME TO ${identifier(tableName(to).table)}`);
  } catch (thrown) {
    if (!messageOf(thrown).includes('another entry with this name already exists')) throw thrown;
    throw new MillraceError('table.exists', `table "${to}" exists already in other letter case`);
  }
}
