import type { ClientBase } from 'pg';
import { parseInstallationId, type InstallationId } from '../../core/installation-id.ts';
import { damagedMark } from '../../core/installation-mark.ts';
import { lockMaking } from './make-table.ts';
import { tablesSchema } from './table-format.ts';

const table = `${tablesSchema}.installation`;

/**
 * Undefined also where no table for it is: a version that made no marks has made the others. `installation.unmarked` for a database with
 * several.
 */
export async function readMark(client: ClientBase): Promise<InstallationId | undefined> {
  const made = await client.query<{ made: boolean }>(`SELECT to_regclass('${table}') IS NOT NULL AS made`);
  if (made.rows[0]?.made !== true) return undefined;
  const { rows } = await client.query<{ id: string }>(`SELECT DISTINCT id FROM ${table}`);
  const [row, ...more] = rows;
  // Rows have no order: which was the first, nobody can tell.
  if (more.length > 0) throw damagedMark(`the table ${table} names several installations`);
  return row === undefined ? undefined : parseInstallationId(row.id);
}

/** Marks the database when it has no mark, in the transaction of the caller; answers whose it has. */
export async function writeMark(client: ClientBase, installation: InstallationId): Promise<InstallationId> {
  await lockMaking(client);
  // A connection that saw no such table may go on seeing none after another one has made it; whoever makes the table
  // looks anew.
  await client.query(`CREATE TABLE IF NOT EXISTS ${table} (id text NOT NULL)`);
  const present = await readMark(client);
  if (present !== undefined) return present;
  await client.query(`INSERT INTO ${table} VALUES ($1)`, [installation]);
  return installation;
}
