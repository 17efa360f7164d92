import type { DuckDBConnection } from '@duckdb/node-api';
import { parseInstallationId, type InstallationId } from '../../core/installation-id.ts';
import { damagedMark } from '../../core/installation-mark.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { databaseName } from './config.ts';

const table = `${identifier(databaseName)}."millrace"."installation"`;

/** Makes the place of the mark where it is not there: in a new file, and in one of a version that made no marks. */
export async function makeMark(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE TABLE IF NOT EXISTS ${table} (id VARCHAR)`);
}

/** `installation.unmarked` for a file with several. */
export async function readMark(connection: DuckDBConnection): Promise<InstallationId | undefined> {
  const found = await connection.runAndReadAll(`SELECT id FROM ${table}`);
  const [row, ...more] = found.getRows();
  // Rows have no order: which was the first, nobody can tell.
  if (more.length > 0) throw damagedMark(`the table ${table} names several installations`);
  return row === undefined ? undefined : parseInstallationId(String(row[0]));
}

/** Marks the file when it has no mark; answers whose it has. Writers take turns. */
export async function writeMark(connection: DuckDBConnection, installation: InstallationId): Promise<InstallationId> {
  await connection.run(`INSERT INTO ${table} SELECT $1 WHERE NOT EXISTS (FROM ${table})`, [installation]);
  return (await readMark(connection)) ?? installation;
}
