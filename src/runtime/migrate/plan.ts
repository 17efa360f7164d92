import type { InstallationId } from '../../core/installation-id.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset } from '../../core/offset.ts';
import { neededOffset } from '../../core/progress/needed-offset.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { installationDocuments } from '../../documents/installation-document.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { EventLog, TopicDescription } from '../../ports/event-log.ts';
import type { LedgerContents } from '../../ports/ledger-transfer.ts';
import type { StoredObject } from '../../ports/object-store.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { stagingMark } from '../../stages/claims/staging-mark.ts';
import type { OneProcess } from './both-sides.ts';
import { bytesOf, RecordDigest, recordsOf } from './topic-records.ts';

/** A partition as it is in the data folder. */
export interface PlannedPartition {
  readonly first: Offset;
  readonly end: Offset;
  readonly bytes: number;
  readonly largestBytes: number;
  /** The lowest offset that a copy must have for ever: of a source, of what some sink has still to take. */
  readonly needed: Offset;
  /** Of all its records. */
  readonly digest: string;
}

export interface PlannedTopic extends TopicDescription {
  readonly log: 'source' | 'sink';
  readonly ranges: readonly PlannedPartition[];
}

/** What a data folder has beside its documents. */
export interface MigrationPlan {
  readonly installation: InstallationId;
  readonly topics: readonly PlannedTopic[];
  readonly objects: readonly StoredObject[];
  readonly tables: readonly TableDescription[];
  readonly ledger: LedgerContents;
}

export interface Planning extends Waiting {
  readonly onBytes: (bytes: number) => void;
}

/** Reads the logs from their beginnings to their ends, and lists the rest. */
export async function readPlan(process: OneProcess, planning: Planning): Promise<MigrationPlan> {
  return {
    installation: await installationOf(process, planning),
    topics: [...(await topicsOf(process, 'source', planning)), ...(await topicsOf(process, 'sink', planning))],
    objects: await objectsOf(process, planning),
    tables: await process.tables.listTables(planning),
    ledger: await process.tables.readLedgerContents(planning),
  };
}

/** Whose the data folder is; `migration.refused` where no process has worked on it. */
export async function installationOf({ catalog }: OneProcess, options: Waiting): Promise<InstallationId> {
  const found = await catalog.get('meta', 'installation', options);
  if (found === undefined)
    throw new MillraceError(
      'migration.refused',
      'no process has begun to work on the data folder: there is nothing to move',
    );
  return installationDocuments.parse(found.value, found.id).id;
}

async function topicsOf(
  process: OneProcess,
  log: PlannedTopic['log'],
  planning: Planning,
): Promise<readonly PlannedTopic[]> {
  const from = log === 'source' ? process.sourceLog : process.sinkLog;
  const { documents } = await listReadable(process.catalog, { kind: progressDocuments }, planning);
  const topics: PlannedTopic[] = [];
  for (const name of await from.listTopics(`${log}.`, planning)) {
    const topic = await from.describeTopic(name, planning);
    if (topic === undefined) continue;
    const readers = log === 'source' ? readersOf(topic, documents) : undefined;
    topics.push({ ...topic, log, ranges: await rangesOf(from, topic, { ...planning, readers }) });
  }
  return topics;
}

/** What takes records of this existence of a source's topic. */
function readersOf({ name, identity }: TopicDescription, sinks: readonly SinkProgress[]): readonly SinkProgress[] {
  return sinks.filter(({ topics }) => topics.source === name && topics.sourceIdentity === identity);
}

export interface Ranging extends Planning {
  /** Those of a source; absent: every record is needed. */
  readonly readers?: readonly SinkProgress[] | undefined;
}

export async function rangesOf(
  log: EventLog,
  { name, identity }: TopicDescription,
  { onBytes, readers, ...waiting }: Ranging,
): Promise<readonly PlannedPartition[]> {
  const planned: PlannedPartition[] = [];
  for (const [partition, { first, durableEnd: end }] of (await log.ranges(name, waiting)).entries()) {
    const digest = new RecordDigest();
    let [bytes, largestBytes] = [0, 0];
    for await (const records of recordsOf(log, { at: { topic: name, partition, identity }, first, end }, waiting)) {
      const before = bytes;
      for (const record of records) {
        digest.add(record);
        bytes += bytesOf(record);
        largestBytes = Math.max(largestBytes, bytesOf(record));
      }
      onBytes(bytes - before);
    }
    const needed = readers === undefined ? first : Math.max(first, neededOffset(readers, partition, end));
    planned.push({ first, end, bytes, largestBytes, needed, digest: digest.text() });
  }
  return planned;
}

async function objectsOf({ objects }: OneProcess, options: Waiting): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const object of objects.list('', options)) if (object.name !== stagingMark) found.push(object);
  return found;
}
