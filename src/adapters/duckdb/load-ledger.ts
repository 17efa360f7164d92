import type { DuckDBConnection } from '@duckdb/node-api';
import { MillraceError } from '../../core/millrace-error.ts';
import type { LoadRow, LoadVerdict } from '../../ports/table-loads.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { databaseName } from './config.ts';
import { textOfBytes } from './text-of-bytes.ts';

const table = `${identifier(databaseName)}."millrace"."loads"`;

/** Makes the ledger of loads where it is not there, after that of imports. It has no key for the same reason. */
export async function makeLoads(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE TABLE IF NOT EXISTS ${table} (id VARCHAR, verdict VARCHAR, note VARCHAR)`);
}

/** `table.ledgerMismatch` when a load has two rows. */
export async function readLoadRow(connection: DuckDBConnection, id: string): Promise<LoadRow | undefined> {
  const found = await connection.runAndReadAll(`SELECT verdict, encode(note) FROM ${table} WHERE id = $1`, [id]);
  const [row, ...more] = found.getRows();
  if (more.length > 0) throw ledgerMismatch(`two ledger rows of the load "${id}"`);
  if (row === undefined) return undefined;
  const [verdict, note = null] = row;
  return { verdict: verdictOf(verdict), note: textOfBytes(note) };
}

/** `table.ledgerMismatch` when there is none. */
export async function loadRowOf(connection: DuckDBConnection, id: string): Promise<LoadRow> {
  const row = await readLoadRow(connection, id);
  if (row === undefined) throw ledgerMismatch(`there is no ledger row of the load "${id}"`);
  return row;
}

export async function openLoadRow(connection: DuckDBConnection, id: string): Promise<void> {
  await addRow(connection, id, 'open');
}

/** Moves an open row, in the transaction that read it. */
export async function moveLoadRow(connection: DuckDBConnection, id: string, { verdict, note }: LoadRow): Promise<void> {
  const { rowsChanged } = await connection.run(
    `UPDATE ${table} SET verdict = $2, note = $3 WHERE id = $1 AND verdict = 'open'`,
    [id, verdict, note],
  );
  if (rowsChanged !== 1) throw ledgerMismatch(`the ledger row of the load "${id}" changed meanwhile`);
}

/** Answers the row as it stands then; in the transaction of the caller. */
export async function giveLoadUp(connection: DuckDBConnection, id: string): Promise<LoadRow> {
  await addRow(connection, id, 'abandoned');
  const row = await loadRowOf(connection, id);
  if (row.verdict !== 'open') return row;
  const given: LoadRow = { verdict: 'abandoned', note: '' };
  await moveLoadRow(connection, id, given);
  return given;
}

export async function removeLoadRow(connection: DuckDBConnection, id: string): Promise<void> {
  await connection.run(`DELETE FROM ${table} WHERE id = $1`, [id]);
}

async function addRow(connection: DuckDBConnection, id: string, verdict: LoadVerdict): Promise<void> {
  await connection.run(
    `INSERT INTO ${table} (id, verdict, note) SELECT $1, $2, '' WHERE NOT EXISTS (FROM ${table} WHERE id = $1)`,
    [id, verdict],
  );
}

function verdictOf(stored: unknown): LoadVerdict {
  return stored === 'open' || stored === 'loaded' ? stored : 'abandoned';
}

function ledgerMismatch(message: string): MillraceError {
  return new MillraceError('table.ledgerMismatch', message);
}
