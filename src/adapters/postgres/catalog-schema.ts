import { escapeIdentifier } from 'pg';
import { v4 } from 'uuid';
import { MillraceError } from '../../core/millrace-error.ts';
import { collections } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { PostgresClient, PostgresConnection } from './client.ts';

/** Layout of what is made below. */
export const catalogVersion = 1;

/** Taken while the schema is looked at and made, so that processes that start together make it once. */
const schemaLock = 0x6d696c6c;

/** Makes the schema of the catalog, or finds it. `data.newerFormat`, `config.invalid` (a database that is not UTF-8). */
export async function prepareCatalogSchema(client: PostgresClient, schema: string, options: Waiting): Promise<void> {
  await client.transaction(async (connection) => {
    await connection.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [schemaLock, schema]);
    await refuseOtherEncoding(connection);
    const version = await schemaVersion(connection, schema);
    if (version !== undefined && version > catalogVersion) throw newerFormat(schema, version);
    if (version === undefined) await makeSchema(connection, schema);
    await addCounters(connection, schema);
  }, options);
}

/** Looks for the schema of the catalog and changes nothing. `data.newerFormat`; `config.invalid` when there is none. */
export async function findCatalogSchema(client: PostgresClient, schema: string, options: Waiting): Promise<void> {
  const version = await client.withConnection((connection) => schemaVersion(connection, schema), options);
  if (version === undefined)
    throw new MillraceError('config.invalid', `there is no catalog in schema "${schema}": no process has made it yet`);
  if (version > catalogVersion) throw newerFormat(schema, version);
}

/** Undefined when the schema holds no catalog. */
export async function schemaVersion(connection: PostgresConnection, schema: string): Promise<number | undefined> {
  const name = escapeIdentifier(schema);
  const { rows: found } = await connection.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    `${name}.layout`,
  ]);
  if (found[0]?.there !== true) return undefined;
  const { rows } = await connection.query<{ version: number }>(`SELECT version FROM ${name}.layout`);
  return rows[0]?.version;
}

export function newerFormat(schema: string, version: number): MillraceError {
  const message = `the catalog in schema "${schema}" has layout ${version}, this version of the product knows ${catalogVersion}`;
  return new MillraceError('data.newerFormat', message, { details: { schema } });
}

async function refuseOtherEncoding(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.query<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding`,
  );
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new MillraceError('config.invalid', `the database of the catalog has encoding ${encoding}, it must have UTF8`);
}

async function makeSchema(connection: PostgresConnection, schema: string): Promise<void> {
  const name = escapeIdentifier(schema);
  const { rows } = await connection.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  // Only when it is missing: a user without the right to make schemas is given one.
  if (rows.length === 0) await connection.query(`CREATE SCHEMA ${name}`);
  await connection.query(tables(name));
  await connection.query(writeFunction(name));
  await connection.query(`INSERT INTO ${name}.layout (version, epoch) VALUES ($1, $2)`, [catalogVersion, v4()]);
}

/** A collection that a newer version of the product brings gets its counter here. */
async function addCounters(connection: PostgresConnection, schema: string): Promise<void> {
  const name = escapeIdentifier(schema);
  await connection.query(`INSERT INTO ${name}.counter (collection) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`, [
    [...collections],
  ]);
}

/**
 * `counter.revision` is the revision of the last write of the collection; `floor`: removals up to this revision were
 * forgotten; `removals`: how many rows `removal` has. Ids are those of `sortable-id.ts`; documents are kept as JSON
 * text, because `jsonb` changes the order of keys and has no U+0000.
 */
function tables(name: string): string {
  return `
    CREATE TABLE ${name}.layout (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), version integer NOT NULL,
      epoch uuid NOT NULL);
    CREATE TABLE ${name}.counter (collection text COLLATE "C" PRIMARY KEY, revision bigint NOT NULL DEFAULT 0,
      floor bigint NOT NULL DEFAULT 0, removals bigint NOT NULL DEFAULT 0) WITH (fillfactor = 50);
    CREATE TABLE ${name}.document (collection text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
      revision bigint NOT NULL, value text NOT NULL, PRIMARY KEY (collection, id));
    CREATE UNIQUE INDEX document_revision ON ${name}.document (collection, revision);
    CREATE TABLE ${name}.removal (collection text COLLATE "C" NOT NULL, revision bigint NOT NULL,
      id text COLLATE "C" NOT NULL, PRIMARY KEY (collection, revision));`;
}

/**
 * Conditional writes of one collection as one statement: the server needs no word of the client between the lock and
 * the commit, so a client that is stopped or cut off never keeps others waiting. The counter's row is locked first and
 * until the commit: revisions are taken in the order of commits, and who sees revision n sees all before it. Each
 * statement of the function has a snapshot of its own (read committed), taken after the lock. Of the arrays, the n-th
 * entries are one write: expected NULL: there must be none; value NULL: remove. Answers the revisions, NULL for a conflict.
 */
function writeFunction(name: string): string {
  return `
    CREATE FUNCTION ${name}.write(the_collection text, ids text[], expected bigint[], new_values text[], kept bigint)
      RETURNS bigint[] LANGUAGE plpgsql VOLATILE AS $body$
    DECLARE
      was ${name}.counter%ROWTYPE;
      last bigint; lowest bigint; gone bigint; added bigint := 0;
      revisions bigint[] := '{}';
    BEGIN
      SELECT * INTO STRICT was FROM ${name}.counter c WHERE c.collection = the_collection FOR UPDATE;
      last := was.revision;
      FOR n IN 1 .. cardinality(ids) LOOP
        IF new_values[n] IS NULL THEN
          DELETE FROM ${name}.document d
            WHERE d.collection = the_collection AND d.id = ids[n] AND d.revision = expected[n];
        ELSIF expected[n] IS NULL THEN
          INSERT INTO ${name}.document (collection, id, revision, value)
            VALUES (the_collection, ids[n], last + 1, new_values[n]) ON CONFLICT (collection, id) DO NOTHING;
        ELSE
          UPDATE ${name}.document d SET revision = last + 1, value = new_values[n]
            WHERE d.collection = the_collection AND d.id = ids[n] AND d.revision = expected[n];
        END IF;
        IF FOUND THEN
          last := last + 1;
          IF new_values[n] IS NULL THEN
            INSERT INTO ${name}.removal (collection, revision, id) VALUES (the_collection, last, ids[n]);
            added := added + 1;
          END IF;
          revisions := revisions || last;
        ELSE
          revisions := revisions || NULL::bigint;
        END IF;
      END LOOP;
      IF last = was.revision THEN
        RETURN revisions;
      END IF;
      lowest := was.floor;
      gone := 0;
      IF was.removals + added >= 2 * kept THEN
        SELECT r.revision INTO lowest FROM ${name}.removal r WHERE r.collection = the_collection
          ORDER BY r.revision LIMIT 1 OFFSET was.removals + added - kept - 1;
        DELETE FROM ${name}.removal r WHERE r.collection = the_collection AND r.revision <= lowest;
        GET DIAGNOSTICS gone = ROW_COUNT;
      END IF;
      UPDATE ${name}.counter c SET revision = last, floor = lowest, removals = was.removals + added - gone
        WHERE c.collection = the_collection;
      RETURN revisions;
    END $body$;`;
}
