import type { ClientBase } from 'pg';
import type { Incarnation } from '../../core/ids.ts';
import { decidedVerdict, type LoadedCounts } from '../../core/progress/ledger.ts';
import type { ImportAttempt } from '../../core/progress/sink-progress.ts';
import type { LedgerRow } from '../../ports/import-ledger.ts';

const table = 'millrace_tables.ledger';

export const ledgerDefinition = `CREATE TABLE ${table} (
  incarnation bigint PRIMARY KEY,
  number bigint NOT NULL,
  id text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('loaded', 'abandoned')),
  rows bigint,
  dead bigint,
  counted bigint
)`;

/**
 * Counts came later: a ledger of an earlier version of the product gets them, and they are NULL until an import knows
 * them. Processes of that version go on beside this one. A ledger that has them is not locked.
 */
export async function addLedgerCounts(client: ClientBase): Promise<void> {
  const found = await client.query(
    `SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = '${table}'::regclass AND attname = 'counted' AND NOT attisdropped`,
  );
  if (found.rowCount === 1) return;
  await client.query(`ALTER TABLE ${table} ADD COLUMN rows bigint, ADD COLUMN dead bigint, ADD COLUMN counted bigint`);
}

interface StoredRow {
  readonly incarnation: string;
  readonly number: string;
  readonly id: string;
  readonly verdict: LedgerRow['verdict'];
  readonly rows: string;
  readonly dead: string;
  readonly counted: string | null;
}

export async function readLedgerRow(client: ClientBase, incarnation: Incarnation): Promise<LedgerRow | undefined> {
  return (await readLedgerRows(client, [incarnation])).get(incarnation);
}

export async function readLedgerRows(
  client: ClientBase,
  incarnations: readonly Incarnation[],
): Promise<ReadonlyMap<Incarnation, LedgerRow>> {
  const found = await client.query<StoredRow>(
    `SELECT incarnation, number, id, verdict, rows, dead, counted FROM ${table} WHERE incarnation = ANY ($1::bigint[])`,
    [incarnations],
  );
  const rows = new Map(found.rows.map((row) => [row.incarnation, row]));
  return new Map(
    incarnations.flatMap((incarnation) => {
      const row = rows.get(String(incarnation));
      return row === undefined ? [] : [[incarnation, ledgerRow(row)]];
    }),
  );
}

function ledgerRow({ number, id, verdict, rows, dead, counted }: StoredRow): LedgerRow {
  const position = { number: Number(number), id, verdict };
  return counted === number ? { ...position, loaded: { rows: Number(rows), dead: Number(dead) } } : position;
}

export async function addLedgerRow(client: ClientBase, incarnation: Incarnation): Promise<void> {
  await client.query(
    `INSERT INTO ${table} (incarnation, number, id, verdict, rows, dead, counted)
      VALUES ($1, 0, '', 'loaded', 0, 0, 0) ON CONFLICT DO NOTHING`,
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
 * Moves the row from `number - 1` and adds to its counts, as the last step of a transaction: it waits for another
 * attempt that has moved the row and not ended yet. False when the row stands elsewhere: then nothing of this
 * transaction may stay. Counts that do not stand at `number - 1`, because an earlier version of the product moved the
 * row, begin anew with `before`.
 */
export async function moveLedgerRow(
  client: ClientBase,
  incarnation: Incarnation,
  to: ImportAttempt & Pick<LedgerRow, 'verdict' | 'loaded'> & { readonly before?: LoadedCounts },
): Promise<boolean> {
  const { number, id, verdict, loaded = { rows: 0, dead: 0 }, before } = to;
  const sum = (column: string, added: string, begun: string): string =>
    `${column} = CASE WHEN counted = $2::bigint - 1 THEN ${column} ELSE ${begun}::bigint END + ${added}::bigint`;
  const { rowCount } = await client.query(
    `UPDATE ${table} SET number = $2, id = $3, verdict = $4, ${sum('rows', '$5', '$7')}, ${sum('dead', '$6', '$8')},
      counted = CASE WHEN counted = $2::bigint - 1 OR $7::bigint IS NOT NULL THEN $2::bigint END
      WHERE incarnation = $1 AND number = $2::bigint - 1`,
    [incarnation, number, id, verdict, loaded.rows, loaded.dead, before?.rows ?? null, before?.dead ?? null],
  );
  return rowCount === 1;
}
