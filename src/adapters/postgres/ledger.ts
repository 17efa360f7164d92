import type { ClientBase } from 'pg';
import type { Incarnation } from '../../core/ids.ts';
import { decidedVerdict } from '../../core/progress/ledger.ts';
import type { ImportAttempt } from '../../core/progress/sink-progress.ts';
import type { LedgerRow } from '../../ports/table-store.ts';

const table = 'millrace_tables.ledger';

export const ledgerDefinition = `CREATE TABLE ${table} (
  incarnation bigint PRIMARY KEY,
  number bigint NOT NULL,
  id text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('loaded', 'abandoned'))
)`;

export async function readLedgerRow(client: ClientBase, incarnation: Incarnation): Promise<LedgerRow | undefined> {
  const found = await client.query<{ number: string; id: string; verdict: LedgerRow['verdict'] }>(
    `SELECT number, id, verdict FROM ${table} WHERE incarnation = $1`,
    [incarnation],
  );
  const [row] = found.rows;
  return row === undefined ? undefined : { number: Number(row.number), id: row.id, verdict: row.verdict };
}

export async function addLedgerRow(client: ClientBase, incarnation: Incarnation): Promise<void> {
  await client.query(
    `INSERT INTO ${table} (incarnation, number, id, verdict) VALUES ($1, 0, '', 'loaded') ON CONFLICT DO NOTHING`,
    [incarnation],
  );
}

export async function removeLedgerRow(client: ClientBase, incarnation: Incarnation): Promise<void> {
  await client.query(`DELETE FROM ${table} WHERE incarnation = $1`, [incarnation]);
}

/** `decidedVerdict` by the row as it stands. */
export async function verdictOf(
  client: ClientBase,
  incarnation: Incarnation,
  attempt: ImportAttempt,
): Promise<LedgerRow['verdict'] | undefined> {
  return decidedVerdict(incarnation, await readLedgerRow(client, incarnation), attempt);
}

/**
 * Moves the row from `number - 1`, as the last step of a transaction: it waits for another attempt that has moved the row
 * and not ended yet. False when the row stands elsewhere: then nothing of this transaction may stay.
 */
export async function moveLedgerRow(
  client: ClientBase,
  incarnation: Incarnation,
  to: ImportAttempt & Pick<LedgerRow, 'verdict'>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE ${table} SET number = $2, id = $3, verdict = $4 WHERE incarnation = $1 AND number = $2::bigint - 1`,
    [incarnation, to.number, to.id, to.verdict],
  );
  return rowCount === 1;
}
