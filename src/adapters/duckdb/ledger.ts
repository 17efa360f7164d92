import type { DuckDBConnection } from '@duckdb/node-api';
import type { Incarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { decidedVerdict } from '../../core/progress/ledger.ts';
import type { ImportAttempt } from '../../core/progress/sink-progress.ts';
import type { LedgerRow } from '../../ports/table-store.ts';
import { databaseName } from './config.ts';
import { identifier } from './sql.ts';

const schema = `${identifier(databaseName)}."millrace"`;
const table = `${schema}."ledger"`;

/**
 * Makes the ledger in a new file. It has no key: an index of DuckDB refuses an update that removes and adds the same key
 * in one transaction. Its writers take turns and count the rows they change instead.
 */
export async function makeLedger(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${table} (incarnation BIGINT, number BIGINT, id VARCHAR, verdict VARCHAR)`,
  );
}

export async function readLedgerRow(
  connection: DuckDBConnection,
  incarnation: Incarnation,
): Promise<LedgerRow | undefined> {
  const found = await connection.runAndReadAll(`SELECT number, id, verdict FROM ${table} WHERE incarnation = $1`, [
    BigInt(incarnation),
  ]);
  const rows = found.getRows();
  if (rows.length > 1) throw new MillraceError('table.ledgerMismatch', `two ledger rows of incarnation ${incarnation}`);
  const [row] = rows;
  if (row === undefined) return undefined;
  const [number, id, verdict] = row;
  return {
    number: Number(number),
    id: typeof id === 'string' ? id : '',
    verdict: verdict === 'abandoned' ? 'abandoned' : 'loaded',
  };
}

export async function addLedgerRow(connection: DuckDBConnection, incarnation: Incarnation): Promise<void> {
  await connection.run(
    `INSERT INTO ${table} SELECT $1, 0, '', 'loaded' WHERE NOT EXISTS (FROM ${table} WHERE incarnation = $1)`,
    [BigInt(incarnation)],
  );
}

export async function removeLedgerRow(connection: DuckDBConnection, incarnation: Incarnation): Promise<void> {
  await connection.run(`DELETE FROM ${table} WHERE incarnation = $1`, [BigInt(incarnation)]);
}

/** `decidedVerdict` by the row as it stands. */
export async function verdictOf(
  connection: DuckDBConnection,
  incarnation: Incarnation,
  attempt: ImportAttempt,
): Promise<LedgerRow['verdict'] | undefined> {
  return decidedVerdict(incarnation, await readLedgerRow(connection, incarnation), attempt);
}

/** Moves the row from `number - 1`; call it in the transaction of the rows, after `verdictOf` gave undefined. */
export async function moveLedgerRow(
  connection: DuckDBConnection,
  incarnation: Incarnation,
  to: ImportAttempt & Pick<LedgerRow, 'verdict'>,
): Promise<void> {
  const { rowsChanged } = await connection.run(
    `UPDATE ${table} SET number = $2, id = $3, verdict = $4 WHERE incarnation = $1 AND number = $2 - 1`,
    [BigInt(incarnation), BigInt(to.number), to.id, to.verdict],
  );
  if (rowsChanged !== 1) {
    throw new MillraceError('table.ledgerMismatch', `the ledger of incarnation ${incarnation} changed meanwhile`);
  }
}
