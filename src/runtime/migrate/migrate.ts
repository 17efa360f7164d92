import type { Config } from '../../config/config.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import { isCancellation, MillraceError } from '../../core/millrace-error.ts';
import type { Migration } from '../../documents/migration-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { SecretKeys } from '../../secrets/secret-keys.ts';
import type { MigrationSummary } from '../product.ts';
import { systemClock } from '../system-clock.ts';
import { openCluster, openProcess, placeOf, type OneProcess, type WholeCluster } from './both-sides.ts';
import { moveDocuments } from './move-documents.ts';
import { moveObjects } from './move-objects.ts';
import {
  beginMove,
  leaveProcess,
  noteTopic,
  readMove,
  releaseCluster,
  requireRoom,
  requireStill,
} from './move-record.ts';
import { forgetPieces, moveTables } from './move-tables.ts';
import { movedTopic, moveTopic, verifyEnds, type TopicMove } from './move-topics.ts';
import type { MovedTopic } from './moved-documents.ts';
import { installationOf, readPlan, type MigrationPlan, type PlannedTopic } from './plan.ts';
import { judgePlan } from './refusals.ts';

export interface MigrateRequest extends Waiting {
  /** Of the process; the keys for secrets are those of the cluster. */
  readonly config: Config;
  readonly topology: ClusterTopology;
  /** Nothing is moved: both sides are looked at. */
  readonly dryRun: boolean;
  /** What an earlier move has left in the cluster that does not go on is removed first. */
  readonly anew: boolean;
  readonly onProgress: (progress: { readonly doing: string; readonly bytes: number; readonly of: number }) => void;
}

/**
 * Moves everything that a stopped process has into a cluster, or goes on with a move that was cut off. Up to one compare-and-set in the
 * catalog of the data folder nothing has moved, and the process may be started; behind it only the cluster may be.
 */
export async function migrate(request: MigrateRequest): Promise<MigrationSummary> {
  const { config, topology, signal } = request;
  await using stack = new AsyncDisposableStack();
  const process = await openProcess(config, stack);
  try {
    const cluster = await openCluster(topology, { tempDir: process.folder.temporary, signal }, stack);
    return await migrateBetween(process, cluster, request);
  } catch (thrown) {
    throw advised(thrown, 'it goes on where it was. Until then the process may be started instead');
  }
}

/** The same between stores that are open. */
export async function migrateBetween(
  process: OneProcess,
  cluster: WholeCluster,
  request: Omit<MigrateRequest, 'config'> & { readonly config: Pick<Config, 'encryptionKeys'> },
): Promise<MigrationSummary> {
  const { config, topology, dryRun, anew, signal } = request;
  const begun = await readMove(process.catalog, { signal });
  if (begun?.state === 'done') return finish(cluster, begun, { dryRun, signal });
  // Before anything is read, which may take long.
  const installation = await installationOf(process, { signal });
  await requireRoom(process, cluster, { installation, anew, signal });
  const shown = new Shown(request);
  const plan = await readPlan(process, { signal, onBytes: shown.during('Reading the data folder', 0) });
  const keys = new SecretKeys((config.encryptionKeys ?? []).map((key) => key.reveal()));
  const { documents, refusals } = await judgePlan(process, plan, { topology, keys, now: systemClock.now(), signal });
  if (refusals.length > 0) throw refused(refusals);
  const summary = summaryOf(plan, documents);
  if (dryRun) return { ...summary, state: 'planned' };
  await moveAll({ process, cluster, plan, shown }, { topology, anew, signal });
  return { ...summary, state: 'moved' };
}

interface Everything {
  readonly process: OneProcess;
  readonly cluster: WholeCluster;
  readonly plan: MigrationPlan;
  readonly shown: Shown;
}

async function moveAll(
  { process, cluster, plan, shown }: Everything,
  { topology, anew, signal }: Pick<MigrateRequest, 'topology' | 'anew' | 'signal'>,
): Promise<void> {
  const waiting = { signal };
  const { installation } = plan;
  const move = await beginMove(process, cluster, { installation, at: isoNow(), anew, signal });
  const topics = await moveTopics({ process, cluster, plan, shown }, { move, topology, signal });
  const objectBytes = plan.objects.reduce((sum, { bytes }) => sum + bytes, 0);
  const onObject = shown.during('Moving staged files', objectBytes);
  await moveObjects(plan.objects, { from: process.objects, to: cluster.objects, onBytes: onObject, signal });
  const onTable = shown.during('Moving tables', 0);
  const tables = { from: process.tables, to: cluster.tables, tempDir: process.folder.temporary, id: move.id };
  await moveTables(plan.tables, { ...tables, onBytes: onTable, signal });
  // Nothing is written over what another move has put there since.
  await requireStill(cluster, move, waiting);
  await cluster.tables.adoptLedger(plan.ledger, waiting);
  shown.during('Moving definitions', 0);
  await moveDocuments({ from: process.catalog, to: cluster.catalog, topics, signal });
  for (const topic of plan.topics) {
    const moved = topics.find(({ name }) => name === topic.name);
    if (moved !== undefined) await verifyEnds(topic, moved, { to: cluster.sourceLog, signal });
  }
  await requireStill(cluster, move, waiting);
  await leaveProcess(process, move, waiting);
  await release(cluster, move, waiting).catch((thrown: unknown) => {
    throw advised(thrown, 'everything was moved, and the cluster is told of it');
  });
}

/**
 * What a server or the disk refused, with what to do about it here: the catalogue of errors speaks of a product that runs, and tries again
 * by itself.
 */
function advised(thrown: unknown, next: string): unknown {
  if (!(thrown instanceof MillraceError) || isCancellation(thrown) || !ofServers.test(thrown.code)) return thrown;
  const { code, message, details, cause } = thrown;
  if (details['advice'] !== undefined) return thrown;
  const advice = `Mend what the message says, then run "millrace migrate" again: ${next}.`;
  return new MillraceError(code, message, { cause, details: { ...details, advice } });
}

/** Codes of stores. */
const ofServers = /^(catalog|log|objects|table)[.]/;

/** Those that have been copied and noted before stay; the others are made anew. */
async function moveTopics(
  { process, cluster, plan, shown }: Everything,
  { move, topology, signal }: Pick<MigrateRequest, 'topology' | 'signal'> & { readonly move: Migration },
): Promise<readonly MovedTopic[]> {
  const { maxAppendBytes } = topology.log.topics;
  const bytes = plan.topics.flatMap(({ ranges }) => ranges).reduce((sum, range) => sum + range.bytes, 0);
  const onBytes = shown.during('Moving events', bytes);
  const moved: MovedTopic[] = [];
  for (const topic of plan.topics) {
    const isSource = topic.log === 'source';
    const [from, to] = isSource ? [process.sourceLog, cluster.sourceLog] : [process.sinkLog, cluster.sinkLog];
    const identity = move.topics?.[topic.name];
    if (identity !== undefined && (await isThere(topic, { identity }, { to, signal }))) {
      onBytes(topic.ranges.reduce((sum, range) => sum + range.bytes, 0));
      moved.push(movedTopic(topic, { identity }));
      continue;
    }
    const limit = isSource ? maxAppendBytes : 2 * maxAppendBytes;
    const made = await moveTopic(topic, {
      from,
      to,
      maxAppendBytes: limit,
      now: systemClock.now(),
      onBytes,
      signal,
    });
    await noteTopic(cluster, { ...made, move }, { signal });
    moved.push(made);
  }
  return moved;
}

/** Whether a topic that was noted is still what was noted: it may have been removed since, or made anew. */
async function isThere(
  topic: PlannedTopic,
  found: { readonly identity: string },
  options: Pick<TopicMove, 'to' | 'signal'>,
): Promise<boolean> {
  try {
    await verifyEnds(topic, found, options);
    return true;
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'migration.failed') return false;
    throw thrown;
  }
}

/** Behind the point of no return: the cluster is told, whatever became of whoever came so far. */
async function finish(
  cluster: WholeCluster,
  move: Migration,
  { dryRun, ...options }: Pick<MigrateRequest, 'dryRun' | 'signal'>,
): Promise<MigrationSummary> {
  const [place, known] = [await placeOf(cluster, options), await readMove(cluster.catalog, options)];
  if (place !== move.to || known?.id !== move.id)
    throw new MillraceError('migration.done', `everything that this data folder has was moved to ${move.to}`);
  const nothing = { documents: 0, events: 0, eventBytes: 0, files: 0, fileBytes: 0, tables: 0, rows: 0 };
  if (dryRun && known.state !== 'done') return { ...nothing, state: 'untold' };
  if (!dryRun) await release(cluster, move, options);
  return { ...nothing, state: 'moved before' };
}

async function release(cluster: WholeCluster, move: Migration, options: Waiting): Promise<void> {
  await forgetPieces(cluster.tables, options);
  await releaseCluster(cluster, move, options);
}

function refused(refusals: readonly string[]): MillraceError {
  const list = refusals.map((text) => `\n- ${text}`).join('');
  return new MillraceError('migration.refused', `it cannot be moved as it is:${list}`);
}

function summaryOf({ topics, objects, tables }: MigrationPlan, documents: number): Omit<MigrationSummary, 'state'> {
  const ranges = topics.flatMap((topic) => topic.ranges);
  return {
    documents,
    events: ranges.reduce((sum, { first, end }) => sum + end - first, 0),
    eventBytes: ranges.reduce((sum, { bytes }) => sum + bytes, 0),
    files: objects.length,
    fileBytes: objects.reduce((sum, { bytes }) => sum + bytes, 0),
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  };
}

function isoNow(): string {
  return new Date(systemClock.now()).toISOString();
}

/** What a person sees of it. */
class Shown {
  readonly #tell: MigrateRequest['onProgress'];

  constructor({ onProgress }: Pick<MigrateRequest, 'onProgress'>) {
    this.#tell = onProgress;
  }

  /** Begins a part of about so many bytes; to be called with what was done of it. */
  during(doing: string, of: number): (bytes: number) => void {
    let bytes = 0;
    this.#tell({ doing, bytes, of });
    return (more) => this.#tell({ doing, bytes: (bytes += more), of });
  }
}
