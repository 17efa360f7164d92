import { randomUUID } from 'node:crypto';
import { sentence, type Finding } from '../../core/finding.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { Looking } from '../looking.ts';
import { serverFindings } from './check-server.ts';
import { PostgresClient, type PostgresConnection } from './client.ts';
import { answerGraceMs } from './config.ts';
import type { PostgresTableOptions } from './table-config.ts';
import { formatVersion, tablesSchema } from './table-format.ts';
import { identifier } from './table-names.ts';
import { storedTables } from './table-registry.ts';

const checkMs = 10_000;

/**
 * Looks at all that the table store needs of a database and leaves nothing behind. What is wrong is a finding; it rejects
 * only with the signal's reason and for options that are `config.invalid`.
 */
export async function checkTables(
  options: PostgresTableOptions,
  { now, signal }: Looking,
): Promise<readonly Finding[]> {
  await using client = await PostgresClient.create({ ...options, maxConnections: 1 }, 'table.unavailable');
  const began = performance.now();
  const findings: Finding[] = [];
  const lookAtServer: Look = (connection, now) =>
    serverFindings(connection, {
      purpose: 'the tables',
      connections: options.maxConnections ?? 10,
      now,
    });
  for (const look of [lookAtServer, lookAtSchemas, lookAtTables]) {
    try {
      const clock = (): number => now + performance.now() - began;
      const found = await client.withConnection((connection) => look(connection, clock), {
        signal,
        answerMs: checkMs + answerGraceMs,
      });
      findings.push(...found);
    } catch (thrown) {
      signal.throwIfAborted();
      findings.push({ kind: 'bad', about: 'connection', text: sentence(MillraceError.fromUnknown(thrown).message) });
      break;
    }
  }
  return findings;
}

type Look = (connection: PostgresConnection, clock: () => number) => Promise<readonly Finding[]>;

/** Makes a schema with a table and takes both back. */
const lookAtSchemas: Look = async (connection) => {
  const schema = identifier(`millrace_check_${randomUUID()}`);
  await connection.query('BEGIN');
  try {
    await connection.query(`CREATE SCHEMA ${schema}`);
    await connection.query(
      `CREATE TABLE ${schema}.probe (cell text NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY)`,
    );
    return [{ kind: 'good', about: 'schemas', text: 'The user may make schemas and tables.' }];
  } catch (thrown) {
    const reason = messageOf(thrown);
    const grant =
      'GRANT CREATE ON DATABASE to it, or make the schema of each bucket (such as "in.c-shop") and give it to the user';
    return [{ kind: 'advice', about: 'schemas', text: `The user may not make schemas (${reason}): ${grant}.` }];
  } finally {
    await connection.query('ROLLBACK');
  }
};

const lookAtTables: Look = async (connection) => {
  const { rows } = await connection.query<{ there: boolean; usable: boolean; makeable: boolean }>(
    `SELECT to_regclass($1 || '.format') IS NOT NULL AS there,
       coalesce((SELECT has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE')
         FROM pg_namespace WHERE nspname = $1), false) AS usable,
       has_database_privilege(current_database(), 'CREATE') AS makeable`,
    [tablesSchema],
  );
  const [found] = rows;
  if (found?.there !== true) {
    if (found?.usable === true || found?.makeable === true)
      return [{ kind: 'good', about: 'format', text: `The schema "${tablesSchema}" will be made at the first start.` }];
    const text = `The schema "${tablesSchema}" is missing and the user may not make it: CREATE SCHEMA ${tablesSchema} AUTHORIZATION the user.`;
    return [{ kind: 'bad', about: 'format', text }];
  }
  const format = await connection.query<{ version: number }>(
    `SELECT max(version) AS version FROM ${tablesSchema}.format`,
  );
  const version = format.rows[0]?.version ?? 0;
  if (version !== formatVersion) {
    const text = `The tables have the format ${version}, this version of the product knows ${formatVersion}: start a newer version.`;
    return [{ kind: 'bad', about: 'format', text }];
  }
  return [
    { kind: 'good', about: 'format', text: `The tables have the format ${version}.` },
    ...(await tableFindings(connection)),
  ];
};

/** Tables that imports will refuse as they are. */
async function tableFindings(connection: PostgresConnection): Promise<readonly Finding[]> {
  const tables = await storedTables(connection);
  const { rows } = await connection.query<{ id: string }>(
    `SELECT t.id FROM ${tablesSchema}.tables t JOIN pg_namespace n ON n.nspname = t.schema_name
      JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = t.table_name
      WHERE NOT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
        AND has_table_privilege(c.oid, 'INSERT')) ORDER BY t.id COLLATE "C"`,
  );
  const findings: Finding[] = rows.map(({ id }) => ({
    kind: 'bad',
    about: 'tables',
    text: `The user may not read and fill the table "${id}": give it back to the user.`,
  }));
  for (const { tableId, columns, hasOrder } of tables) {
    const changed = columns.filter(({ fault }) => fault !== undefined).map(({ name, fault }) => `"${name}" (${fault})`);
    if (changed.length === 0 && hasOrder) continue;
    const what = hasOrder
      ? `the columns ${changed.join(', ')} are no texts without NULL`
      : 'the column "millrace.order" is missing';
    findings.push({ kind: 'bad', about: 'tables', text: `The table "${tableId}" was changed by hand: ${what}.` });
  }
  if (findings.length > 0) return findings;
  return [{ kind: 'good', about: 'tables', text: `${tables.length} tables are as they were made.` }];
}
