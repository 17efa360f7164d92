import { MongoServerError, type Db } from 'mongodb';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { abortable } from '../abortable.ts';
import { catalogLayout, catalogVersion } from './catalog-database.ts';
import type { MongodbCatalogOptions } from './catalog.ts';
import { createMongodbClient } from './client.ts';
import { fromMongodb } from './errors.ts';

/** Beyond this the clocks of the machines are worth a word; nothing that is promised depends on them. */
const clockToleranceMs = 2000;

const unknownCommand = 59;
const neededActions = ['find', 'insert', 'update', 'remove', 'createIndex', 'createCollection'];

interface Privilege {
  readonly resource: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean };
  readonly actions: readonly string[];
}

/**
 * Looks at the server of the catalog and changes nothing. Answers in plain sentences what is wrong, one each; nothing when
 * all is well. `nowMs` is the clock of this machine (Unix time).
 */
export async function checkMongodbCatalog(
  options: MongodbCatalogOptions & { readonly nowMs: () => number },
  { signal }: Waiting,
): Promise<readonly string[]> {
  const { database = 'millrace', operationTimeoutMs = 15_000, nowMs } = options;
  try {
    const client = createMongodbClient(options);
    try {
      const db = client.db(database);
      const look = async (): Promise<readonly string[]> => [
        ...(await memberFindings(db, nowMs)),
        ...(await rightsFindings(db)),
        ...(await layoutFindings(db, operationTimeoutMs)),
      ];
      return await abortable(look(), signal);
    } finally {
      await client.close();
    }
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const error = fromMongodb(thrown);
    if (!(error instanceof MillraceError)) throw error;
    return [error.message];
  }
}

async function memberFindings(db: Db, nowMs: () => number): Promise<readonly string[]> {
  const before = nowMs();
  // `hello` under the name that older servers know, too.
  const { setName, localTime } = await db.command({ isMaster: 1 });
  const after = nowMs();
  const found: string[] = [];
  if (typeof setName !== 'string')
    found.push(
      'The server is no member of a replica set, so no majority confirms a write; make it one, a single member is enough.',
    );
  const aheadMs = localTime instanceof Date ? Math.round(localTime.getTime() - (before + after) / 2) : 0;
  if (Math.abs(aheadMs) > clockToleranceMs + (after - before) / 2)
    found.push(`The server's clock is ${aheadMs} ms ahead of this machine's; set both by NTP.`);
  return found;
}

/** Nothing when the server asks for no user. */
async function rightsFindings(db: Db): Promise<readonly string[]> {
  try {
    const { authInfo } = await db.command({ connectionStatus: 1, showPrivileges: true });
    const { authenticatedUsers, authenticatedUserPrivileges } = authInfo as {
      readonly authenticatedUsers: readonly unknown[];
      readonly authenticatedUserPrivileges: readonly Privilege[];
    };
    if (authenticatedUsers.length === 0) return [];
    const missing = neededActions.filter(
      (action) =>
        !authenticatedUserPrivileges.some(
          ({ resource, actions }) => covers(resource, db.databaseName) && actions.includes(action),
        ),
    );
    if (missing.length === 0) return [];
    return [`The user lacks ${missing.join(', ')} on the database "${db.databaseName}": grant readWrite on it.`];
  } catch (thrown) {
    if (thrown instanceof MongoServerError && thrown.code === unknownCommand) return [];
    throw thrown;
  }
}

function covers({ db, collection, anyResource }: Privilege['resource'], database: string): boolean {
  return anyResource === true || ((db === '' || db === database) && collection === '');
}

async function layoutFindings(db: Db, maxTimeMS: number): Promise<readonly string[]> {
  const version = await catalogLayout(db, maxTimeMS);
  if (version === undefined || version <= catalogVersion) return [];
  return [
    `The catalog in database "${db.databaseName}" was written by a newer version of the product (layout ${version}).`,
  ];
}
