import type { ClusterTopology } from '../../config/topology/topology.ts';
import { entryOf, partitionsOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { SecretKeys } from '../../secrets/secret-keys.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { OneProcess } from './both-sides.ts';
import { documentsToMove } from './moved-documents.ts';
import type { MigrationPlan, PlannedTopic } from './plan.ts';

export interface Judging extends Waiting {
  readonly topology: ClusterTopology;
  /** Those that the processes of the cluster have. */
  readonly keys: Pick<SecretKeys, 'knows'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Judgement {
  /** Documents that are moved. */
  readonly documents: number;
  /** Why it cannot be moved as it is; empty when it can. */
  readonly refusals: readonly string[];
}

/** What a cluster could not keep as it is, found before anything is written. */
export async function judgePlan(process: OneProcess, plan: MigrationPlan, judging: Judging): Promise<Judgement> {
  const { catalog, tables } = process;
  const progress = await listReadable(catalog, { kind: progressDocuments }, judging);
  const sources = await listReadable(catalog, { kind: sourceDocuments }, judging);
  const unread = [...progress.unread, ...sources.unread];
  const { documents, hidden } = await countDocuments(process, judging);
  const late = await Promise.all(
    plan.topics.filter(({ log }) => log === 'source').map((topic) => leaving(process, topic, judging)),
  );
  return {
    documents,
    refusals: [
      ...unread.map(({ id }) => `the document "${id}" cannot be read by this release`),
      ...sources.documents
        .filter(({ erased }) => erased?.isDone === false)
        .map(({ sourceId }) => `the source "${sourceId}" is being erased: start the process, which finishes that`),
      ...(await tables.foreignColumns(judging)),
      ...plan.topics.flatMap((topic) => tooLarge(topic, judging)),
      ...progress.documents.flatMap((one) => unseenLoss(one, plan)),
      ...late.flat(),
      ...hidden,
    ],
  };
}

const ciphertext = /MR::1::[0-9a-f]{16}::[A-Za-z0-9_-]+/g;

async function countDocuments(
  { catalog }: OneProcess,
  { keys, signal }: Judging,
): Promise<{ readonly documents: number; readonly hidden: readonly string[] }> {
  let [documents, sealed] = [0, 0];
  for await (const { value } of documentsToMove(catalog, { signal })) {
    documents += 1;
    if ((JSON.stringify(value).match(ciphertext) ?? []).some((text) => !keys.knows(text))) sealed += 1;
  }
  if (sealed === 0) return { documents, hidden: [] };
  const text = `${sealed} documents hold secrets under a key that MILLRACE_ENCRYPTION_KEYS does not name: give this command and each process of the cluster the content of the file "encryption-key" of the data folder`;
  return { documents, hidden: [text] };
}

function tooLarge({ name, log, ranges }: PlannedTopic, { topology }: Judging): readonly string[] {
  const { maxAppendBytes } = topology.log.topics;
  const largest = Math.max(0, ...ranges.map(({ largestBytes }) => largestBytes));
  const needed = log === 'source' ? largest : Math.ceil(largest / 2);
  if (needed <= maxAppendBytes) return [];
  return [
    `a record of the topic "${name}" has ${largest} bytes: set log.topics.maxAppendBytes of the topology to ${needed} at least`,
  ];
}

/** Outcomes went before anybody took them, and no stage has noted it yet. */
function unseenLoss(progress: SinkProgress, { topics }: MigrationPlan): readonly string[] {
  const { sink, sinkIdentity } = progress.topics;
  const ranges = topics.find(({ name, identity }) => name === sink && identity === sinkIdentity)?.ranges ?? [];
  const isLost = partitionsOf(progress).some(
    (partition) => entryOf(progress, partition).sink < (ranges[partition]?.first ?? 0),
  );
  if (!isLost) return [];
  return [`the topic "${sink}" has lost outcomes that were not staged: start the process, which maps them again`];
}

/** Kafka may remove a record as soon as it is so old. */
const spareMs = 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;

/** What Kafka would remove by its own rules before it is delivered. */
async function leaving(
  { sourceLog }: OneProcess,
  { name, identity, ranges }: PlannedTopic,
  { topology, now, signal }: Judging,
): Promise<readonly string[]> {
  const { retentionMs, retentionBytes } = topology.log.topics;
  const found = new Set<string>();
  for (const [partition, { needed, end, bytes }] of ranges.entries()) {
    if (needed >= end) continue;
    const { records } = await sourceLog.read({ topic: name, partition, identity }, needed, { signal });
    const ageMs = now - (records[0]?.timestamp ?? now);
    const what = `Kafka would remove events of the topic "${name}" that are not delivered`;
    if (ageMs > retentionMs - spareMs)
      found.add(
        `${what}, because they are ${Math.ceil(ageMs / hourMs)} hours old: raise log.topics.retention of the topology, or let the process deliver them first`,
      );
    if (retentionBytes !== undefined && bytes > retentionBytes)
      found.add(
        `${what}: raise log.topics.retentionBytes of the topology above ${bytes}, or let the process deliver them first`,
      );
  }
  return [...found];
}
