import { escapeIdentifier } from 'pg';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { catalogVersion, schemaVersion } from './catalog-schema.ts';
import { defaultCatalogSchema, type PostgresCatalogOptions } from './catalog.ts';
import { PostgresClient, type PostgresConnection } from './client.ts';

/** Beyond this the clocks of the machines are worth a word; nothing that is promised depends on them. */
const clockToleranceMs = 2000;

interface ServerFacts {
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly encoding: string;
  readonly may_make_schemas: boolean;
  readonly max_connections: string;
  readonly now_ms: string;
}

/**
 * Looks at the server of the catalog and changes nothing. Answers in plain sentences what is wrong, one each; nothing when
 * all is well. `nowMs` is the clock of this machine (Unix time).
 */
export async function checkPostgresCatalog(
  options: PostgresCatalogOptions & { readonly nowMs: () => number },
  waiting: Waiting,
): Promise<readonly string[]> {
  try {
    await using client = await PostgresClient.create(options, 'catalog.unavailable');
    return await client.withConnection((connection) => findings(connection, options), waiting);
  } catch (thrown) {
    if (!(thrown instanceof MillraceError)) throw thrown;
    return [thrown.message];
  }
}

async function findings(
  connection: PostgresConnection,
  { schema = defaultCatalogSchema, maxConnections = 10, nowMs }: PostgresCatalogOptions & { nowMs: () => number },
): Promise<readonly string[]> {
  const before = nowMs();
  const { rows } = await connection.query<ServerFacts>(
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
       current_setting('server_encoding') AS encoding, current_setting('max_connections') AS max_connections,
       has_database_privilege(current_database(), 'CREATE') AS may_make_schemas,
       extract(epoch FROM clock_timestamp()) * 1000 AS now_ms`,
  );
  const after = nowMs();
  const [facts] = rows;
  if (facts === undefined) return ['PostgreSQL answers a question about its settings with nothing.'];
  const found: string[] = [];
  if (facts.fsync !== 'on') found.push('fsync is off: a power failure loses what was acknowledged; switch it on.');
  if (facts.full_page_writes !== 'on') found.push('full_page_writes is off: a power failure may spoil the database.');
  if (facts.encoding !== 'UTF8') found.push(`The database has encoding ${facts.encoding}; make one with UTF8.`);
  if (Number(facts.max_connections) < 2 * maxConnections)
    found.push(
      `The server takes ${facts.max_connections} connections in all and each process may open ${maxConnections} for the catalog.`,
    );
  const aheadMs = Math.round(Number(facts.now_ms) - (before + after) / 2);
  if (Math.abs(aheadMs) > clockToleranceMs + (after - before) / 2)
    found.push(`The server's clock is ${aheadMs} ms ahead of this machine's; set both by NTP.`);
  return [...found, ...(await schemaFindings(connection, { schema, mayMake: facts.may_make_schemas }))];
}

async function schemaFindings(
  connection: PostgresConnection,
  { schema, mayMake }: { readonly schema: string; readonly mayMake: boolean },
): Promise<readonly string[]> {
  const { rows: rights } = await connection.query<{ may_use: boolean; may_create: boolean }>(
    `SELECT has_schema_privilege(oid, 'USAGE') AS may_use, has_schema_privilege(oid, 'CREATE') AS may_create
     FROM pg_namespace WHERE nspname = $1`,
    [schema],
  );
  const [right] = rights;
  if (right === undefined)
    return mayMake ? [] : [`The user may not make the schema "${schema}": grant CREATE on the database, or make it.`];
  if (!right.may_use) return [`The user may not use the schema "${schema}": grant USAGE on it.`];
  const version = await schemaVersion(connection, schema);
  if (version === undefined)
    return right.may_create ? [] : [`The user may make no tables in the schema "${schema}": grant CREATE on it.`];
  if (version > catalogVersion)
    return [`The catalog in schema "${schema}" was written by a newer version of the product (layout ${version}).`];
  const name = escapeIdentifier(schema);
  const { rows: missing } = await connection.query<{ table_name: string }>(
    `SELECT table_name FROM unnest($1::text[]) table_name
     WHERE NOT has_table_privilege(table_name, 'SELECT') OR NOT has_table_privilege(table_name, 'INSERT')
       OR NOT has_table_privilege(table_name, 'UPDATE') OR NOT has_table_privilege(table_name, 'DELETE')`,
    [['counter', 'document', 'removal'].map((table) => `${name}.${table}`)],
  );
  return missing.map((row) => `The user may not read and write the table ${row.table_name}: grant ALL on it.`);
}
