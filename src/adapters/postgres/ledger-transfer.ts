import type { ClientBase } from 'pg';
import { parseIncarnation } from '../../core/ids.ts';
import type { LedgerContents } from '../../ports/ledger-transfer.ts';
import type { LoadVerdict } from '../../ports/table-loads.ts';
import { requireSame } from '../same-ledger.ts';
import { readLedgerRows } from './ledger.ts';

const [imports, loads] = ['millrace_tables.ledger', 'millrace_tables.loads'];

/** In the order of the port. */
export async function readLedgerContents(client: ClientBase): Promise<LedgerContents> {
  const named = await client.query<{ incarnation: string }>(`SELECT incarnation FROM ${imports} ORDER BY incarnation`);
  const incarnations = named.rows.map(({ incarnation }) => parseIncarnation(Number(incarnation)));
  const rows = await readLedgerRows(client, incarnations);
  const found = await client.query<{ id: string; verdict: LoadVerdict; note: string }>(
    `SELECT id, verdict, note FROM ${loads} ORDER BY id COLLATE "C"`,
  );
  return { imports: [...rows].map(([incarnation, row]) => ({ incarnation, ...row })), loads: found.rows };
}

/** In the transaction of the caller. */
export async function adoptLedger(client: ClientBase, contents: LedgerContents): Promise<void> {
  await client.query(`LOCK TABLE ${imports}, ${loads} IN EXCLUSIVE MODE`);
  const missing = requireSame(await readLedgerContents(client), contents);
  for (const { incarnation, number, id, verdict, loaded } of missing.imports)
    await client.query(
      `INSERT INTO ${imports} (incarnation, number, id, verdict, rows, dead, counted) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [incarnation, number, id, verdict, loaded?.rows ?? null, loaded?.dead ?? null, loaded && number],
    );
  for (const { id, verdict, note } of missing.loads)
    await client.query(`INSERT INTO ${loads} (id, verdict, note) VALUES ($1, $2, $3)`, [id, verdict, note]);
}
