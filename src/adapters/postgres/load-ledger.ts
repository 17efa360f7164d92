import type { ClientBase } from 'pg';
import { MillraceError } from '../../core/millrace-error.ts';
import type { LoadRow, LoadVerdict } from '../../ports/table-loads.ts';

const table = 'millrace_tables.loads';

const definition = `CREATE TABLE ${table} (
  id text PRIMARY KEY,
  verdict text NOT NULL CHECK (verdict IN ('open', 'loaded', 'abandoned')),
  note text NOT NULL DEFAULT ''
)`;

/** Loads came later: their ledger is made where it is not there. Processes of an earlier version go on beside this one. */
export async function makeLoads(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ made: boolean }>(`SELECT to_regclass('${table}') IS NOT NULL AS made`);
  if (rows[0]?.made !== true) await client.query(definition);
}

export async function readLoadRow(client: ClientBase, id: string): Promise<LoadRow | undefined> {
  const { rows } = await client.query<{ verdict: LoadVerdict; note: string }>(
    `SELECT verdict, note FROM ${table} WHERE id = $1`,
    [id],
  );
  const [row] = rows;
  return row && { verdict: row.verdict, note: row.note };
}

/** `table.ledgerMismatch` when there is none. */
export async function loadRowOf(client: ClientBase, id: string): Promise<LoadRow> {
  const row = await readLoadRow(client, id);
  if (row === undefined) throw ledgerMismatch(`there is no ledger row of the load "${id}"`);
  return row;
}

export async function openLoadRow(client: ClientBase, id: string): Promise<void> {
  await client.query(`INSERT INTO ${table} (id, verdict) VALUES ($1, 'open') ON CONFLICT DO NOTHING`, [id]);
}

/**
 * Moves an open row to `loaded`, as a last step of a transaction: it waits for another load that has moved the row and not ended yet. False
 * when the row has moved already, or is gone: then nothing of this transaction may stay.
 */
export async function moveLoadRow(client: ClientBase, id: string, note: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE ${table} SET verdict = 'loaded', note = $2 WHERE id = $1 AND verdict = 'open'`,
    [id, note],
  );
  return rowCount === 1;
}

/** Answers the row as it stands then. It waits for a load only from its move of the row to its commit. */
export async function giveLoadUp(client: ClientBase, id: string): Promise<LoadRow> {
  await client.query(
    `INSERT INTO ${table} AS known (id, verdict) VALUES ($1, 'abandoned')
      ON CONFLICT (id) DO UPDATE SET verdict = 'abandoned' WHERE known.verdict = 'open'`,
    [id],
  );
  return await loadRowOf(client, id);
}

export async function removeLoadRow(client: ClientBase, id: string): Promise<void> {
  await client.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
}

export function ledgerMismatch(message: string): MillraceError {
  return new MillraceError('table.ledgerMismatch', message);
}
