import { escapeIdentifier } from 'pg';
import { sentence, type Finding } from '../../core/finding.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Looking } from '../looking.ts';
import { catalogVersion, newerFormat, schemaVersion } from './catalog-schema.ts';
import { defaultCatalogSchema, type PostgresCatalogOptions } from './catalog.ts';
import { serverFindings } from './check-server.ts';
import { PostgresClient, type PostgresConnection } from './client.ts';

interface SchemaRights {
  readonly may_make: boolean;
  readonly there: boolean;
  readonly may_use: boolean;
  readonly may_create: boolean;
}

/**
 * Looks at all that the catalog needs of a database and changes nothing. What is wrong is a finding; it rejects only with the
 * signal's reason and for options that are `config.invalid`.
 */
export async function checkPostgresCatalog(
  options: PostgresCatalogOptions,
  { now, signal }: Looking,
): Promise<readonly Finding[]> {
  const began = performance.now();
  await using client = await PostgresClient.create(options, 'catalog.unavailable');
  try {
    return await client.withConnection(
      async (connection) => [
        ...(await serverFindings(connection, {
          purpose: 'the catalog',
          connections: options.maxConnections ?? 10,
          now: () => now + performance.now() - began,
        })),
        ...(await schemaFindings(connection, options.schema ?? defaultCatalogSchema)),
      ],
      { signal },
    );
  } catch (thrown) {
    if (!(thrown instanceof MillraceError)) throw thrown;
    return [{ kind: 'bad', about: 'connection', text: sentence(thrown.message) }];
  }
}

async function schemaFindings(connection: PostgresConnection, schema: string): Promise<readonly Finding[]> {
  const bad = (text: string): readonly Finding[] => [{ kind: 'bad', about: 'rights', text }];
  const good: Finding = { kind: 'good', about: 'rights', text: 'The user has the rights that are needed.' };
  const { rows: rights } = await connection.query<SchemaRights>(
    `SELECT has_database_privilege(current_database(), 'CREATE') AS may_make, n.oid IS NOT NULL AS there,
       coalesce(has_schema_privilege(n.oid, 'USAGE'), false) AS may_use,
       coalesce(has_schema_privilege(n.oid, 'CREATE'), false) AS may_create
     FROM (VALUES ($1)) v (name) LEFT JOIN pg_namespace n ON n.nspname = v.name`,
    [schema],
  );
  const [right] = rights;
  if (right === undefined) return [];
  if (!right.there)
    return right.may_make
      ? [good]
      : bad(`The user may not make the schema "${schema}": grant CREATE on the database, or make it.`);
  if (!right.may_use) return bad(`The user may not use the schema "${schema}": grant USAGE on it.`);
  const version = await schemaVersion(connection, schema);
  if (version === undefined)
    return right.may_create
      ? [good]
      : bad(`The user may make no tables in the schema "${schema}": grant CREATE on it.`);
  if (version > catalogVersion) return [{ kind: 'bad', about: 'format', text: newerFormat(schema, version).message }];
  const name = escapeIdentifier(schema);
  const { rows: missing } = await connection.query<{ table_name: string }>(
    `SELECT table_name FROM unnest($1::text[]) table_name
     WHERE NOT has_table_privilege(table_name, 'SELECT') OR NOT has_table_privilege(table_name, 'INSERT')
       OR NOT has_table_privilege(table_name, 'UPDATE') OR NOT has_table_privilege(table_name, 'DELETE')`,
    [['counter', 'document', 'removal'].map((table) => `${name}.${table}`)],
  );
  const refused = missing.flatMap((row) =>
    bad(`The user may not read and write the table ${row.table_name}: grant ALL on it.`),
  );
  return refused.length > 0 ? refused : [good];
}
