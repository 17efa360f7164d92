import { MongoServerError, type Db } from 'mongodb';
import { abortable } from '../../core/abortable.ts';
import { clockFinding, clockOffset } from '../../core/clock-finding.ts';
import { sentence, type Finding } from '../../core/finding.ts';
import type { Looking } from '../looking.ts';
import { catalogLayout, catalogVersion, newerFormat } from './catalog-database.ts';
import type { MongodbCatalogOptions } from './catalog.ts';
import { createMongodbClient } from './client.ts';
import { fromMongodb } from './errors.ts';

const unknownCommand = 59;
const neededActions = ['find', 'insert', 'update', 'remove', 'createIndex', 'createCollection'];

interface Privilege {
  readonly resource: { readonly db?: string; readonly collection?: string; readonly anyResource?: boolean };
  readonly actions: readonly string[];
}

/**
 * Looks at all that the catalog needs of a server and changes nothing. What is wrong is a finding; it rejects only with the
 * signal's reason and for options that are `config.invalid`.
 */
export async function checkMongodbCatalog(
  options: MongodbCatalogOptions,
  { now, signal }: Looking,
): Promise<readonly Finding[]> {
  const { database = 'millrace', operationTimeoutMs = 15_000 } = options;
  const began = performance.now();
  const client = createMongodbClient(options);
  try {
    const db = client.db(database);
    const look = async (): Promise<readonly Finding[]> => [
      ...(await memberFindings(db, () => now + performance.now() - began)),
      await rightsFinding(db),
      ...(await layoutFindings(db, operationTimeoutMs)),
    ];
    return await abortable(look(), signal);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return [{ kind: 'bad', about: 'connection', text: sentence(fromMongodb(thrown).message) }];
  } finally {
    await client.close();
  }
}

async function memberFindings(db: Db, nowMs: () => number): Promise<readonly Finding[]> {
  // The first command finds the primary and connects; the second one asks for the clock, so that its time is short.
  await db.command({ isMaster: 1 });
  const from = nowMs();
  // `hello` under the name that older servers know, too.
  const { setName, localTime } = await db.command({ isMaster: 1 });
  const asked = { from, to: nowMs() };
  const clock = localTime instanceof Date ? [clockFinding('server', clockOffset(localTime.getTime(), asked))] : [];
  const alone =
    'The server is no member of a replica set, so no majority confirms a write; make it one, a single member is enough.';
  return [
    { kind: 'good', about: 'connection', text: 'The server answers.' },
    typeof setName === 'string'
      ? { kind: 'good', about: 'durability', text: `A majority of the replica set "${setName}" confirms each write.` }
      : { kind: 'bad', about: 'durability', text: alone },
    ...clock,
  ];
}

/** Good also when the server asks for no user. */
async function rightsFinding(db: Db): Promise<Finding> {
  const good: Finding = { kind: 'good', about: 'rights', text: 'The user has the rights that are needed.' };
  try {
    const { authInfo } = await db.command({ connectionStatus: 1, showPrivileges: true });
    const { authenticatedUsers, authenticatedUserPrivileges } = authInfo as {
      readonly authenticatedUsers: readonly unknown[];
      readonly authenticatedUserPrivileges: readonly Privilege[];
    };
    if (authenticatedUsers.length === 0) return good;
    const missing = neededActions.filter(
      (action) =>
        !authenticatedUserPrivileges.some(
          ({ resource, actions }) => covers(resource, db.databaseName) && actions.includes(action),
        ),
    );
    if (missing.length === 0) return good;
    const text = `The user lacks ${missing.join(', ')} on the database "${db.databaseName}": grant readWrite on it.`;
    return { kind: 'bad', about: 'rights', text };
  } catch (thrown) {
    if (thrown instanceof MongoServerError && thrown.code === unknownCommand) return good;
    throw thrown;
  }
}

function covers({ db, collection, anyResource }: Privilege['resource'], database: string): boolean {
  return anyResource === true || ((db === '' || db === database) && collection === '');
}

async function layoutFindings(db: Db, maxTimeMS: number): Promise<readonly Finding[]> {
  const version = await catalogLayout(db, maxTimeMS);
  if (version === undefined || version <= catalogVersion) return [];
  return [{ kind: 'bad', about: 'format', text: newerFormat(db.databaseName, version).message }];
}
