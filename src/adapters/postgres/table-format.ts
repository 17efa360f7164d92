import type { ClientBase } from 'pg';
import { MillraceError } from '../../core/millrace-error.ts';
import { addLedgerCounts, ledgerDefinition } from './ledger.ts';
import { makeLoads } from './load-ledger.ts';
import { lockMaking, makeSchema } from './make-table.ts';
import { addRegistryKeys, registryDefinition } from './table-registry.ts';

/** Of what stands in the schema `millrace_tables` for the table store, and of the tables that it makes. */
export const formatVersion = 1;

/** Where registry, ledger and format stand. */
export const tablesSchema = 'millrace_tables';

/**
 * Makes registry and ledger where they are not there. `data.newerFormat` when a newer version has made them;
 * `config.invalid` when the database is not UTF-8.
 */
export async function makeTableFormat(client: ClientBase): Promise<void> {
  await lockMaking(client);
  await refuseOtherEncoding(client);
  await makeSchema(client, tablesSchema);
  const found = await client.query<{ made: boolean }>(
    `SELECT to_regclass('${tablesSchema}.format') IS NOT NULL AS made`,
  );
  if (found.rows[0]?.made !== true) {
    await client.query(`CREATE TABLE ${tablesSchema}.format (version integer NOT NULL)`);
    await client.query(`INSERT INTO ${tablesSchema}.format VALUES ($1)`, [formatVersion]);
    await client.query(registryDefinition);
    await client.query(ledgerDefinition);
  }
  const { rows } = await client.query<{ version: number }>(
    `SELECT max(version) AS version FROM ${tablesSchema}.format`,
  );
  const version = rows[0]?.version ?? 0;
  if (version === formatVersion) {
    await addLedgerCounts(client);
    await addRegistryKeys(client);
    await makeLoads(client);
    return;
  }
  const reason = `the tables of this database have the format ${version}, this version knows ${formatVersion}`;
  throw new MillraceError('data.newerFormat', reason);
}

async function refuseOtherEncoding(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new MillraceError('config.invalid', `the database of the tables has encoding ${encoding}, it must have UTF8`);
}
