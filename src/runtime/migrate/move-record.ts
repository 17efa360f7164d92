import { randomUUID } from 'node:crypto';
import { MillraceError } from '../../core/millrace-error.ts';
import { changeDocument, createDocument, removeUnchanged } from '../../documents/change-document.ts';
import { installationDocuments } from '../../documents/installation-document.ts';
import { migrationDocuments, migrationId, type Migration } from '../../documents/migration-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { InstallationId } from '../../core/installation-id.ts';
import { collections, type Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { stagingMark } from '../../stages/claims/staging-mark.ts';
import { clearCluster } from './clear-cluster.ts';
import { documentsIn, type FoundDocument } from './moved-documents.ts';
import { marksOf, placeOf, type OneProcess, type WholeCluster } from './both-sides.ts';

const place = { kind: migrationDocuments, id: migrationId };

/** What the catalog says of a move. */
export async function readMove(catalog: Catalog, options: Waiting): Promise<Migration | undefined> {
  return (await readDocument(catalog, place, options))?.value;
}

export interface Beginning extends Waiting {
  readonly installation: InstallationId;
  readonly at: string;
  /** Removes first what a move of this installation has left in the cluster that does not go on. */
  readonly anew: boolean;
}

/**
 * Begins a move, or goes on with the one that was begun, and answers it: both catalogs know of it then, and the servers have the mark of
 * the installation. `migration.refused` for a cluster that has something in it, unless this very move has put it there.
 */
export async function beginMove(
  process: OneProcess,
  cluster: WholeCluster,
  { installation, at, anew, signal }: Beginning,
): Promise<Migration> {
  const options = { signal };
  await requireRoom(process, cluster, { installation, anew, signal });
  const to = await placeOf(cluster, options);
  const begun = await changeDocument(
    process.catalog,
    {
      ...place,
      change: (before): Migration | undefined =>
        before?.to === to ? undefined : { id: randomUUID(), side: 'process', state: 'underWay', to, at },
    },
    options,
  );
  if (begun === undefined) throw new MillraceError('internal.bug', 'a move that was begun has a document');
  const move: Migration = { ...begun.value, side: 'cluster' };
  if (anew) await clearUnfinished(cluster, { move, installation, signal });
  await requireFree(cluster, { move, installation, signal });
  if (!(await createDocument(cluster.catalog, { ...place, value: move }, options)))
    requireOwn(move, await readMove(cluster.catalog, options));
  const own = { kind: installationDocuments, id: 'installation', value: { id: installation, claimed: [] } };
  try {
    if (!(await createDocument(cluster.catalog, own, options))) throw notEmpty('somebody has started a process on it');
    for (const [name, mark] of Object.entries(marksOf(cluster)))
      if ((await mark.claim(installation, options)) !== installation) throw notEmpty(`the store "${name}" has another`);
  } catch (thrown) {
    // Somebody was first, whose processes must not be kept from starting by a move that never happens.
    if (thrown instanceof MillraceError && thrown.code === 'migration.refused')
      await removeUnchanged(cluster.catalog, { ...place, value: move }, options);
    throw thrown;
  }
  return (await readMove(cluster.catalog, options)) ?? move;
}

/**
 * Refuses a cluster that does not take what the process has: `migration.refused` for one that has something in it, unless the move that was
 * begun there has put it there, or `anew` removes it. Changes nothing.
 */
export async function requireRoom(
  process: Pick<OneProcess, 'catalog'>,
  cluster: WholeCluster,
  { installation, anew, signal }: Omit<Beginning, 'at'>,
): Promise<void> {
  const begun = await readMove(process.catalog, { signal });
  const id = begun?.to === (await placeOf(cluster, { signal })) ? begun.id : '';
  await requireFree(cluster, { move: { id }, installation, anew, signal });
}

interface Occupant extends Waiting {
  readonly move: Pick<Migration, 'id'>;
  readonly installation: InstallationId;
}

interface Clearing extends Occupant {
  /** It takes the place of what is cleared away. */
  readonly move: Migration;
}

/** Only of a move that was not finished: no process has worked there, and what it has was put there by that move. */
async function clearUnfinished(cluster: WholeCluster, { move, installation, signal }: Clearing): Promise<void> {
  const options = { signal };
  if (!isUnfinished(await readMove(cluster.catalog, options))) return;
  await requireMarks(cluster, { installation, signal });
  // That move may still be running, from a copy of the folder: from here on it does not end. Whoever is cut off here is not begun either.
  const clearing: Migration = { ...move, id: `clearing-${randomUUID()}` };
  const take = (before?: Migration): Migration | undefined => (isUnfinished(before) ? clearing : undefined);
  const taken = await changeDocument(cluster.catalog, { ...place, change: take }, options);
  if (taken?.value.id !== clearing.id) return;
  await clearCluster(cluster, options);
  await requireEmpty(cluster, { installation, signal });
  const begin = (before?: Migration): Migration | undefined => (before?.id === clearing.id ? move : undefined);
  await changeDocument(cluster.catalog, { ...place, change: begin }, options);
}

function isUnfinished(known: Migration | undefined): boolean {
  return known?.side === 'cluster' && known.state === 'underWay';
}

async function requireMarks(
  cluster: WholeCluster,
  { installation, signal }: Pick<Occupant, 'installation' | 'signal'>,
): Promise<void> {
  for (const [name, mark] of Object.entries(marksOf(cluster))) {
    const claimant = await mark.claimant({ signal });
    if (claimant !== undefined && claimant !== installation)
      throw notEmpty(`the store "${name}" has the mark of another installation, ${claimant}`);
  }
}

/** Refuses a cluster that somebody uses; of one that a move has not filled completely, says whether `anew` would help. */
async function requireFree(
  cluster: WholeCluster,
  { move, installation, anew = false, signal }: Occupant & { readonly anew?: boolean },
): Promise<void> {
  const { catalog } = cluster;
  const options = { signal };
  await requireMarks(cluster, { installation, signal });
  const known = await readMove(catalog, options);
  if (anew && isUnfinished(known)) return;
  if (known !== undefined) return requireOwn(move, known);
  await requireEmpty(cluster, { installation, signal });
}

/** Refuses a cluster that has anything but marks, and documents of who it is and of a move. */
async function requireEmpty(
  { catalog, sourceLog, objects, tables }: WholeCluster,
  { installation, signal }: Pick<Occupant, 'installation' | 'signal'>,
): Promise<void> {
  const options = { signal };
  for (const collection of collections)
    for await (const { id, value } of documentsIn(catalog, collection, options))
      if (!isOwn({ collection, id, value }, installation)) throw notEmpty(`its catalog has documents (${collection})`);
  for (const prefix of ['source.', 'sink.']) {
    const [topic] = await sourceLog.listTopics(prefix, options);
    if (topic !== undefined) throw notEmpty(`Kafka has the topic "${topic}"`);
  }
  for await (const { name } of objects.list('', options))
    if (name !== stagingMark) throw notEmpty(`the bucket has the object "${name}" below its prefix`);
  const [table] = await tables.listTables(options);
  if (table !== undefined) throw notEmpty(`its database has the table "${table.tableId}"`);
  const { imports, loads } = await tables.readLedgerContents(options);
  if (imports.length + loads.length > 0) throw notEmpty('its database has a ledger of imports');
}

/** Who the installation is, which stays where a move was cleared away. */
function isOwn({ collection, id, value }: Omit<FoundDocument, 'revision'>, installation: InstallationId): boolean {
  if (collection !== 'meta') return false;
  if (id === migrationId) return true;
  if (id !== 'installation') return false;
  return installationDocuments.tryParse(value)?.id === installation;
}

function requireOwn({ id }: Pick<Migration, 'id'>, known: Migration | undefined): void {
  if (known?.id === id) return;
  throw notEmpty(
    known?.state === 'done'
      ? `the migration of ${known.at} has filled it`
      : `the migration of ${known?.at ?? 'a moment ago'} was not finished, and this one cannot go on with it: a process has worked on the data folder since, or it was of another folder. "--anew" removes what it has left`,
  );
}

function notEmpty(what: string): MillraceError {
  return new MillraceError(
    'migration.refused',
    `the cluster is not empty: ${what}. Everything is moved into new databases, a new prefix of a bucket and a Kafka without topics of the product`,
  );
}

/**
 * Notes, in the catalog of the cluster, a topic that has all that it shall have. `migration.failed` where another move has taken the place
 * of this one.
 */
export async function noteTopic(
  { catalog }: WholeCluster,
  { move, name, identity }: { readonly move: Pick<Migration, 'id'>; readonly name: string; readonly identity: string },
  options: Waiting,
): Promise<void> {
  const change = (before?: Migration): Migration => {
    const own = requireUnchanged(before, move);
    return { ...own, topics: { ...own.topics, [name]: identity } };
  };
  await changeDocument(catalog, { ...place, change }, options);
}

/** `migration.failed` where another move, of a copy of the data folder, has been begun anew in the cluster meanwhile. */
export async function requireStill({ catalog }: WholeCluster, move: Migration, options: Waiting): Promise<void> {
  requireUnchanged(await readMove(catalog, options), move);
}

function requireUnchanged(known: Migration | undefined, { id }: Pick<Migration, 'id'>): Migration {
  if (known?.id === id) return known;
  throw new MillraceError('migration.failed', 'the catalog knows of another move than the one that was made');
}

/** The point of no return: from here on no process starts on the data folder. */
export async function leaveProcess({ catalog }: OneProcess, { id }: Migration, options: Waiting): Promise<void> {
  await endIn(catalog, id, options);
}

/** From here on processes may start on the cluster. */
export async function releaseCluster({ catalog }: WholeCluster, { id }: Migration, options: Waiting): Promise<void> {
  await endIn(catalog, id, options);
}

async function endIn(catalog: Catalog, id: string, options: Waiting): Promise<void> {
  const change = (before?: Migration): Migration | undefined => {
    const own = requireUnchanged(before, { id });
    return own.state === 'done' ? undefined : { ...own, state: 'done' };
  };
  await changeDocument(catalog, { ...place, change }, options);
}
