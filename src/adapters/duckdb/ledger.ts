import type { DuckDBConnection } from '@duckdb/node-api';
import type { Incarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { decidedVerdict, type LoadedCounts } from '../../core/progress/ledger.ts';
import type { ImportAttempt } from '../../core/progress/sink-progress.ts';
import type { LedgerRow } from '../../ports/import-ledger.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { databaseName } from './config.ts';

const schema = `${identifier(databaseName)}."millrace"`;
const table = `${schema}."ledger"`;

/** Counts came later: a ledger of an earlier version of the product gets them, and they are NULL until an import knows them. */
const counts = ['rows', 'dead', 'counted'].map(identifier);

/**
 * Makes the ledger in a new file. It has no key: an index of DuckDB refuses an update that removes and adds the same key
 * in one transaction. Its writers take turns and count the rows they change instead.
 */
export async function makeLedger(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${table} (incarnation BIGINT, number BIGINT, id VARCHAR, verdict VARCHAR)`,
  );
  for (const column of counts) await connection.run(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column} BIGINT`);
}

export async function readLedgerRow(
  connection: DuckDBConnection,
  incarnation: Incarnation,
): Promise<LedgerRow | undefined> {
  return (await readLedgerRows(connection, [incarnation])).get(incarnation);
}

/** `table.ledgerMismatch` when an incarnation has two rows. */
export async function readLedgerRows(
  connection: DuckDBConnection,
  incarnations: readonly Incarnation[],
): Promise<ReadonlyMap<Incarnation, LedgerRow>> {
  const wanted = new Map(incarnations.map((incarnation) => [String(incarnation), incarnation]));
  const rows = new Map<Incarnation, LedgerRow>();
  if (wanted.size === 0) return rows;
  const found = await connection.runAndReadAll(
    `SELECT incarnation, number, id, verdict, ${counts.join(', ')} FROM ${table} WHERE incarnation IN (${[...wanted.keys()].join(', ')})`,
  );
  for (const [of, number, id, verdict, ...loaded] of found.getRows()) {
    const incarnation = wanted.get(String(of));
    if (incarnation === undefined) continue;
    if (rows.has(incarnation))
      throw new MillraceError('table.ledgerMismatch', `two ledger rows of incarnation ${incarnation}`);
    const [rowCount, dead, counted] = loaded;
    rows.set(incarnation, {
      number: Number(number),
      id: typeof id === 'string' ? id : '',
      verdict: verdict === 'abandoned' ? 'abandoned' : 'loaded',
      ...(counted === number ? { loaded: { rows: Number(rowCount), dead: Number(dead) } } : {}),
    });
  }
  return rows;
}

export async function addLedgerRow(connection: DuckDBConnection, incarnation: Incarnation): Promise<void> {
  await connection.run(
    `INSERT INTO ${table} (incarnation, number, id, verdict, ${counts.join(', ')})
      SELECT $1, 0, '', 'loaded', 0, 0, 0 WHERE NOT EXISTS (FROM ${table} WHERE incarnation = $1)`,
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

/**
 * Moves the row from `number - 1` and adds to its counts; call it in the transaction of the rows, after `verdictOf` gave undefined. Counts
 * that do not stand at `number - 1`, because an earlier version of the product moved the row, begin anew with `before`.
 */
export async function moveLedgerRow(
  connection: DuckDBConnection,
  incarnation: Incarnation,
  to: ImportAttempt & Pick<LedgerRow, 'verdict' | 'loaded'> & { readonly before?: LoadedCounts },
): Promise<void> {
  const { number, id, verdict, loaded = nothing, before } = to;
  const bigint = (value: number | undefined): bigint | null => (value === undefined ? null : BigInt(value));
  const sum = (column: string, added: string, begun: string): string =>
    `${column} = CASE WHEN counted = $2 - 1 THEN ${column} ELSE ${begun}::BIGINT END + ${added}`;
  const { rowsChanged } = await connection.run(
    `UPDATE ${table} SET number = $2, id = $3, verdict = $4, ${sum('"rows"', '$5', '$7')}, ${sum('dead', '$6', '$8')},
      counted = CASE WHEN counted = $2 - 1 OR $7::BIGINT IS NOT NULL THEN $2 END
      WHERE incarnation = $1 AND number = $2 - 1`,
    [
      BigInt(incarnation),
      BigInt(number),
      id,
      verdict,
      BigInt(loaded.rows),
      BigInt(loaded.dead),
      bigint(before?.rows),
      bigint(before?.dead),
    ],
  );
  if (rowsChanged !== 1) {
    throw new MillraceError('table.ledgerMismatch', `the ledger of incarnation ${incarnation} changed meanwhile`);
  }
}

const nothing: LoadedCounts = { rows: 0, dead: 0 };
