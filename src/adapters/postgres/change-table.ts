import type { ClientBase } from 'pg';
import { columnsAfter, type ColumnChange } from '../../core/column-change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { columnMismatch, tableNotFound } from '../../core/table-fault.ts';
import { deadLetterTable, type TableId } from '../../core/table-id.ts';
import type { LettersToDelete } from '../../ports/tables.ts';
import { checkColumnNames, checkKeptKey, columnsToShow } from '../table-requests.ts';
import { dependable } from './dependable.ts';
import { checkColumns, lockTable } from './lock-table.ts';
import { checkColumnCount, lockMaking, refuseForeignTable, removeHidden } from './make-table.ts';
import { rowTests, whereClause } from './row-conditions.ts';
import { isMissingTable } from './table-errors.ts';
import { identifier, relationName, storedColumn, tableOf } from './table-names.ts';
import { addRows, registry, storedTableOf, storedTables, type StoredTable } from './table-registry.ts';

/** Changes the columns of a table, in the transaction of the caller; the errors of the port. */
export async function changeColumns(client: ClientBase, tableId: TableId, change: ColumnChange): Promise<void> {
  const after = columnsAfter(change);
  checkColumnNames(after);
  checkColumnCount(after);
  const table = await takeTable(client, tableId);
  if (columnMismatch({ tableId, expected: after, found: table.columns }) === undefined) return;
  checkColumns(table, change.before);
  checkKeptKey(tableId, table.primaryKey, change.dropped);
  await alterColumns(client, tableId, change);
  const names = new Map(change.renamed.map(({ from, to }) => [from, to]));
  const primaryKey = table.primaryKey.map((column) => names.get(column) ?? column);
  await client.query(`UPDATE ${registry} SET columns = $2, primary_key = $3 WHERE id = $1`, [
    tableId,
    after,
    primaryKey,
  ]);
}

/** Of the table alone, in the transaction of the caller; `table.inUse`. */
export async function alterColumns(
  client: ClientBase,
  tableId: TableId,
  change: Omit<ColumnChange, 'before'>,
): Promise<void> {
  for (const alteration of alterationsOf(change))
    await dependable(tableId, client.query(`ALTER TABLE ${tableOf(tableId)} ${alteration}`));
}

/** A column is made with a default, which the rows that are there get without being written anew. */
function alterationsOf({ dropped, renamed, added }: Omit<ColumnChange, 'before'>): readonly string[] {
  const column = (name: string): string => identifier(storedColumn(name));
  return [
    ...dropped.map((name) => `DROP COLUMN ${column(name)}`),
    ...renamed.map(({ from, to }) => `RENAME COLUMN ${column(from)} TO ${column(to)}`),
    ...added.flatMap((name) => [
      `ADD COLUMN ${column(name)} text NOT NULL DEFAULT ''`,
      `ALTER COLUMN ${column(name)} DROP DEFAULT`,
    ]),
  ];
}

/** In the transaction of the caller. `table.notFound`. */
export async function removeRows(client: ClientBase, tableId: TableId): Promise<void> {
  await takeTable(client, tableId);
  await dependable(tableId, client.query(`TRUNCATE TABLE ONLY ${tableOf(tableId)} RESTART IDENTITY`));
  await client.query(`UPDATE ${registry} SET rows = 0 WHERE id = $1`, [tableId]);
}

/** In the transaction of the caller; the errors of the port. Whoever adds rows meanwhile does not wait. */
export async function deleteLetters(client: ClientBase, { where, limit }: LettersToDelete): Promise<number> {
  const [known] = await storedTables(client, deadLetterTable);
  if (known?.isShown !== true) return 0;
  const { columns } = await lockTable(client, deadLetterTable, 'rows');
  columnsToShow(
    deadLetterTable,
    columns.map(({ name }) => name),
    { where, limit },
  );
  const { tests, values } = rowTests(where);
  const table = tableOf(deadLetterTable);
  const some = `SELECT ctid FROM ONLY ${table}${whereClause(tests)} LIMIT ${limit}`;
  const { rowCount } = await client.query(`DELETE FROM ONLY ${table} WHERE ctid = ANY (ARRAY(${some}))`, [...values]);
  const deleted = rowCount ?? 0;
  await addRows(client, { tableId: deadLetterTable, rows: -deleted, isReplaced: false });
  return deleted;
}

/** Gives a table another name in its schema, in the transaction of the caller; the errors of the port. */
export async function renameWithin(client: ClientBase, tableId: TableId, to: TableId): Promise<void> {
  await lockMaking(client);
  await takeTable(client, tableId);
  if (to === tableId) return;
  const taken = await client.query(`SELECT 1 FROM ${registry} WHERE lower(id) = lower($1) AND id <> $2 AND shown`, [
    to,
    tableId,
  ]);
  if (taken.rowCount !== 0) throw new MillraceError('table.exists', `table "${to}" exists already`);
  await removeHidden(client, [to]);
  await refuseForeignTable(client, to);
  await client.query(`ALTER TABLE ${tableOf(tableId)} RENAME TO ${identifier(relationName(to))}`);
  await client.query(`UPDATE ${registry} SET id = $2, table_name = $3 WHERE id = $1`, [tableId, to, relationName(to)]);
}

/** Waits until nobody reads it or loads into it, and keeps others from it until the transaction ends. */
async function takeTable(client: ClientBase, tableId: TableId): Promise<StoredTable> {
  try {
    await client.query(`LOCK TABLE ONLY ${tableOf(tableId)} IN ACCESS EXCLUSIVE MODE`);
  } catch (thrown) {
    throw isMissingTable(thrown) ? tableNotFound(tableId) : thrown;
  }
  return storedTableOf(client, tableId);
}
