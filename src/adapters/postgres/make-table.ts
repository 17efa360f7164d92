import type { ClientBase } from 'pg';
import { MillraceError } from '../../core/millrace-error.ts';
import { deadLetterTable, type TableId } from '../../core/table-id.ts';
import { checkColumnNames, checkPrimaryKey, refusedColumns } from '../table-requests.ts';
import { letterIndex } from './letter-keys.ts';
import { identifier, orderColumn, relationName, schemaName, storedColumn, tableOf } from './table-names.ts';
import { registry, storedTables } from './table-registry.ts';
import { dependable } from './dependable.ts';

/** PostgreSQL's own bound, less the column that numbers the rows. */
const mostColumns = 1599;

/** Numbers that an index finds: a preview that ends within them reads no more rows than it shows. */
export const indexedRows = 100_000;

/** Of the advisory lock under which schemas and tables are made, so that two who make the same one take turns. */
const makingLock = '7244815661';

/** Waits until nobody else makes schemas or tables, and keeps others from it until the transaction ends. */
export async function lockMaking(client: ClientBase): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [makingLock]);
}

/** `input.invalid` for more columns than a table can have. */
export function checkColumnCount({ length }: readonly string[]): void {
  if (length > mostColumns)
    throw refusedColumns(`a table on PostgreSQL has at most ${mostColumns} columns, given ${length}`);
}

/**
 * Makes a table of texts that are never NULL, and its schema, in the transaction of the caller. `table.exists`;
 * `input.invalid` for its columns. One that is not shown is there for imports only, until
 * the first one loads a row; when there is any already, nothing is made.
 */
export async function makeTable(
  client: ClientBase,
  tableId: TableId,
  {
    columns,
    primaryKey = [],
    isShown,
  }: { readonly columns: readonly string[]; readonly primaryKey?: readonly string[]; readonly isShown: boolean },
): Promise<void> {
  checkColumnNames(columns);
  checkPrimaryKey(columns, primaryKey);
  checkColumnCount(columns);
  await lockMaking(client);
  const [present] = await storedTables(client, tableId);
  if (present !== undefined && !isShown) return;
  if (present?.isShown === true) throw new MillraceError('table.exists', `table "${tableId}" exists already`);
  if (present !== undefined) await removeTable(client, tableId);
  await makeSchema(client, schemaName(tableId));
  await refuseForeignTable(client, tableId);
  const cells = columns.map((column) => `${identifier(storedColumn(column))} text NOT NULL`).join(', ');
  const order = identifier(orderColumn);
  await client.query(
    `CREATE TABLE ${tableOf(tableId)} (${cells}, ${order} bigint NOT NULL GENERATED ALWAYS AS IDENTITY (CACHE 32))`,
  );
  await client.query(`CREATE INDEX ON ${tableOf(tableId)} (${order}) WHERE ${order} <= ${indexedRows}`);
  if (tableId === deadLetterTable) await client.query(letterIndex);
  await client.query(
    `INSERT INTO ${registry} (id, schema_name, table_name, columns, shown, primary_key) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (id) DO UPDATE SET columns = excluded.columns, shown = excluded.shown, primary_key = excluded.primary_key, rows = 0`,
    [tableId, schemaName(tableId), relationName(tableId), columns, isShown, primaryKey],
  );
}

/** Makes a schema when it is not there: who may not make one can use one that was made for them. */
export async function makeSchema(client: ClientBase, name: string): Promise<void> {
  const found = await client.query('SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1', [name]);
  if (found.rowCount === 0) await client.query(`CREATE SCHEMA ${identifier(name)}`);
}

/** Removes a schema of ours in which nothing is left, where another one could be made in its place. */
export async function removeEmptySchema(client: ClientBase, name: string): Promise<void> {
  await lockMaking(client);
  const found = await client.query(
    `SELECT 1 FROM pg_catalog.pg_namespace n WHERE nspname = $1 AND pg_has_role(nspowner, 'USAGE')
      AND has_database_privilege(current_database(), 'CREATE')
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend WHERE refclassid = 'pg_namespace'::regclass AND refobjid = n.oid)`,
    [name],
  );
  if (found.rowCount === 1) await client.query(`DROP SCHEMA ${identifier(name)}`);
}

/** Removes a table of ours and its entry; does nothing when there is none, or another one than the one that is given. */
export async function removeTable(client: ClientBase, tableId: TableId, oid?: string): Promise<void> {
  if (oid !== undefined) {
    // Nobody makes one in its place meanwhile.
    await lockMaking(client);
    const [present] = await storedTables(client, tableId);
    if (present?.oid !== oid) return;
  }
  const found = await client.query(`SELECT 1 FROM ${registry} WHERE id = $1`, [tableId]);
  if (found.rowCount === 0) return;
  await dependable(tableId, client.query(`DROP TABLE IF EXISTS ${tableOf(tableId)}`));
  await client.query(`DELETE FROM ${registry} WHERE id = $1`, [tableId]);
}

/** Removes those of these tables that nobody is shown, and their schemas when nothing is in them any more. */
export async function removeHidden(client: ClientBase, tableIds: readonly TableId[]): Promise<void> {
  await lockMaking(client);
  for (const tableId of tableIds) {
    const [present] = await storedTables(client, tableId);
    if (present?.isShown !== false) continue;
    await client.query(`LOCK TABLE ONLY ${tableOf(tableId)} IN ACCESS EXCLUSIVE MODE NOWAIT`);
    // A load that has ended since may have shown it.
    const [locked] = await storedTables(client, tableId);
    if (locked?.isShown !== false) continue;
    await removeTable(client, tableId);
    await removeEmptySchema(client, schemaName(tableId));
  }
}

/** `table.exists` when the database has a table there that the registry does not know. */
export async function refuseForeignTable(client: ClientBase, tableId: TableId): Promise<void> {
  const found = await client.query('SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass($1)', [tableOf(tableId)]);
  if (found.rowCount === 0) return;
  const reason = `the database has ${tableOf(tableId)} already, and it was not made here: rename it or choose another id`;
  throw new MillraceError('table.exists', `table "${tableId}" cannot be made: ${reason}`);
}
