import type { ClientBase } from 'pg';
import { alignedTable, rowsNotUnique, type AlignedTable } from '../aligned-table.ts';
import type { PlannedLoad } from '../planned-loads.ts';
import { checkColumnNames } from '../table-requests.ts';
import { alterColumns } from './change-table.ts';
import { dependable } from './dependable.ts';
import { checkColumns, type LockPurpose } from './lock-table.ts';
import { checkColumnCount } from './make-table.ts';
import { identifier, orderColumn, storedColumn, tableOf } from './table-names.ts';
import { registry, type StoredTable } from './table-registry.ts';

/** What a load needs a table for. `table.schemaMismatch` when they cannot fit. */
export function purposeOf(plan: PlannedLoad, table: StoredTable): LockPurpose {
  if (!table.isShown) return 'columns';
  const { added, isOtherKey, primaryKey } = aligned(plan, table);
  if (added.length > 0 || isOtherKey) return 'columns';
  if (!plan.isIncremental) return 'replacing';
  return primaryKey.length > 0 ? 'merging' : 'rows';
}

/** Makes a table fit that was locked for it; without its rows where they go. Answers its columns and its key then. */
export async function fitTable(
  client: ClientBase,
  plan: PlannedLoad,
  table: StoredTable,
): Promise<Pick<AlignedTable, 'columns' | 'primaryKey'>> {
  const { tableId } = plan;
  if (!table.isShown) {
    await makeFirst(client, plan, table);
    return plan;
  }
  checkColumns(table, namesOf(table));
  const fitting = aligned(plan, table);
  checkColumnNames(fitting.columns);
  checkColumnCount(fitting.columns);
  if (!plan.isIncremental) await removeOldRows(client, plan);
  await alterColumns(client, tableId, { dropped: [], renamed: [], added: fitting.added });
  if (fitting.isOtherKey && plan.isIncremental && (await hasRepeats(client, plan, fitting.primaryKey)))
    throw rowsNotUnique(tableId, fitting.primaryKey, table.primaryKey);
  if (fitting.added.length > 0 || fitting.isOtherKey) await register(client, plan, fitting);
  return fitting;
}

function aligned(plan: PlannedLoad, table: StoredTable): AlignedTable {
  return alignedTable(plan, { columns: namesOf(table), primaryKey: table.primaryKey });
}

function namesOf({ columns }: StoredTable): readonly string[] {
  return columns.map(({ name }) => name);
}

/** A table that nobody was shown may be left from another load, which has failed: it becomes as this one makes it. */
async function makeFirst(client: ClientBase, plan: PlannedLoad, table: StoredTable): Promise<void> {
  const { tableId, columns } = plan;
  checkColumnCount(columns);
  await dependable(tableId, client.query(`TRUNCATE TABLE ONLY ${tableOf(tableId)} RESTART IDENTITY`));
  const found = namesOf(table);
  const isSame = found.length === columns.length && found.every((name, at) => name === columns[at]);
  if (!isSame) await alterColumns(client, tableId, { dropped: found, renamed: [], added: columns });
  await register(client, plan, plan);
}

async function register(
  client: ClientBase,
  { tableId }: PlannedLoad,
  { columns, primaryKey }: Pick<AlignedTable, 'columns' | 'primaryKey'>,
): Promise<void> {
  await client.query(`UPDATE ${registry} SET columns = $2, primary_key = $3 WHERE id = $1`, [
    tableId,
    columns,
    primaryKey,
  ]);
}

/** One by one, as others may go on to read them, and with numbers from 1 again for those that come. */
async function removeOldRows(client: ClientBase, { tableId }: PlannedLoad): Promise<void> {
  await dependable(tableId, client.query(`DELETE FROM ONLY ${tableOf(tableId)}`));
  const { rows } = await client.query<{ sequence: string }>('SELECT pg_get_serial_sequence($1, $2) AS sequence', [
    tableOf(tableId),
    orderColumn,
  ]);
  const sequence = rows[0]?.sequence;
  if (sequence !== undefined) await client.query(`ALTER SEQUENCE ${sequence} RESTART`);
}

async function hasRepeats(
  client: ClientBase,
  { tableId }: PlannedLoad,
  primaryKey: readonly string[],
): Promise<boolean> {
  const columns = primaryKey.map((name) => identifier(storedColumn(name))).join(', ');
  const found = await client.query(
    `SELECT 1 FROM ONLY ${tableOf(tableId)} GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`,
  );
  return found.rowCount !== 0;
}
