import type { DuckDBConnection } from '@duckdb/node-api';
import { parseIncarnation } from '../../core/ids.ts';
import type { LedgerContents } from '../../ports/ledger-transfer.ts';
import { identifier } from '../duckdb-engine/sql.ts';
import { requireSame } from '../same-ledger.ts';
import { databaseName } from './config.ts';
import { readLedgerRows } from './ledger.ts';
import { readLoadRow } from './load-ledger.ts';

const schema = `${identifier(databaseName)}."millrace"`;

/** `table.ledgerMismatch` when something has two rows. */
export async function readLedgerContents(connection: DuckDBConnection): Promise<LedgerContents> {
  const named = await connection.runAndReadAll(`SELECT DISTINCT incarnation FROM ${schema}."ledger" ORDER BY 1`);
  const incarnations = named.getRows().map(([incarnation]) => parseIncarnation(Number(incarnation)));
  const imports = await readLedgerRows(connection, incarnations);
  const found = await connection.runAndReadAll(`SELECT DISTINCT id FROM ${schema}."loads" ORDER BY 1`);
  const loads: LedgerContents['loads'][number][] = [];
  for (const [id] of found.getRows()) {
    const row = await readLoadRow(connection, String(id));
    if (row !== undefined) loads.push({ id: String(id), ...row });
  }
  return { imports: [...imports].map(([incarnation, row]) => ({ incarnation, ...row })), loads };
}

/** In the transaction of the caller. */
export async function adoptLedger(connection: DuckDBConnection, contents: LedgerContents): Promise<void> {
  const present = await readLedgerContents(connection);
  const missing = requireSame(present, contents);
  for (const { incarnation, number, id, verdict, loaded } of missing.imports)
    await connection.run(
      `INSERT INTO ${schema}."ledger" (incarnation, number, id, verdict, "rows", dead, counted) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        BigInt(incarnation),
        BigInt(number),
        id,
        verdict,
        loaded === undefined ? null : BigInt(loaded.rows),
        loaded === undefined ? null : BigInt(loaded.dead),
        loaded === undefined ? null : BigInt(number),
      ],
    );
  for (const { id, verdict, note } of missing.loads)
    await connection.run(`INSERT INTO ${schema}."loads" (id, verdict, note) VALUES ($1, $2, $3)`, [id, verdict, note]);
}
