import type { DuckDBConnection } from '@duckdb/node-api';
import { columnsAfter, type ColumnChange } from '../../core/column-change.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { columnMismatch } from '../../core/table-fault.ts';
import { tableName, type TableId } from '../../core/table-id.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { checkColumnNames } from '../table-requests.ts';
import { cellsOf, checkLetterCase, columnsOf, describedTable, describeTables } from './table-catalog.ts';
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
    await describedTable(connection, tableId);
    const found = await columnsOf(connection, tableId);
    if (columnMismatch({ tableId, expected: after, found }) === undefined) return;
    const mismatch = columnMismatch({ tableId, expected: change.before, found });
    if (mismatch !== undefined) throw mismatch;
    for (const alteration of alterationsOf(change)) await alter(connection, tableId, alteration);
  });
}

/** A column is made with a default, which the rows that are there get. */
function alterationsOf({ dropped, renamed, added }: ColumnChange): readonly string[] {
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

async function alter(connection: DuckDBConnection, tableId: TableId, alteration: string): Promise<void> {
  try {
    await connection.run(`ALTER TABLE ${tableOf(tableId)} ${alteration}`);
  } catch (thrown) {
    throw isDependency(thrown) ? inUse(tableId, messageOf(thrown)) : thrown;
  }
}

/** Indexes and the like, which somebody made by hand. */
function isDependency(thrown: unknown): boolean {
  return /depends? on|Dependency Error|index/i.test(messageOf(thrown));
}

function inUse(tableId: TableId, said: string): MillraceError {
  const message = `something that was made by hand depends on the table "${tableId}": ${said.split('\n', 1)[0]}`;
  return new MillraceError('table.inUse', message, { details: { tableId } });
}

/** Makes the table anew: rows that are only deleted would stay in its count. `table.notFound`. */
export async function removeRows(connection: DuckDBConnection, tableId: TableId): Promise<void> {
  const { columns } = await describedTable(connection, tableId);
  try {
    await connection.run(`CREATE OR REPLACE TABLE ${tableOf(tableId)} (${cellsOf(columns)})`);
  } catch (thrown) {
    throw isDependency(thrown) ? inUse(tableId, messageOf(thrown)) : thrown;
  }
}

/** Gives a table another name in its schema; the errors of the port. */
export async function renameWithin(connection: DuckDBConnection, tableId: TableId, to: TableId): Promise<void> {
  await transaction(connection, async () => {
    await describedTable(connection, tableId);
    if (to === tableId) return;
    const [there] = await describeTables(connection, to);
    if (there !== undefined) throw new MillraceError('table.exists', `table "${to}" exists already`);
    try {
      await connection.run(`ALTER TABLE ${tableOf(tableId)} RENAME TO ${identifier(tableName(to).table)}`);
    } catch (thrown) {
      if (isDependency(thrown)) throw inUse(tableId, messageOf(thrown));
      if (!messageOf(thrown).includes('exists')) throw thrown;
      throw new MillraceError('table.exists', `table "${to}" exists already in other letter case`);
    }
  });
}
