import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset } from '../../core/offset.ts';
import type { EventLog, IdentifiedPartition, LogRecord, TopicDescription } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { MovedTopic } from './moved-documents.ts';
import type { PlannedPartition, PlannedTopic } from './plan.ts';
import { bytesOf, digestOf, recordsOf } from './topic-records.ts';

export interface TopicMove extends Waiting {
  readonly from: EventLog;
  readonly to: EventLog;
  /** The most bytes that one append to the topic takes. */
  readonly maxAppendBytes: number;
  readonly now: number;
  readonly onBytes: (bytes: number) => void;
}

/** Records without content, where the log that is left had removed what was there: they go before anybody reads. */
const fillersAtOnce = 20_000;

/**
 * Copies a topic into a new one, and reads it back: what is there is what was here, record by record, or it is `migration.failed`. A topic
 * of that name is removed first: whoever was cut off in the middle may have left any part of it.
 *
 * Events of a source keep their offsets, because documents, dead letters and people speak of them. Outcomes begin at 0.
 */
export async function moveTopic(topic: PlannedTopic, move: TopicMove): Promise<MovedTopic> {
  const { to } = move;
  const { name, partitions } = topic;
  await to.deleteTopic(name, move);
  const made = await to.createTopic({ name, partitions, maxRecordBytes: limits.recordBytes }, move);
  for (const [partition, range] of topic.ranges.entries()) {
    const there = { topic: name, partition, identity: made.identity };
    const start = startOf(topic, range);
    await fill(there, start, move);
    await copy(topic, { there, start, range, partition }, move);
    if (start > 0) await to.trim(there, start, move);
  }
  await verifyTopic(topic, made, move);
  return movedTopic(topic, made);
}

/** How a topic is called that has been copied. */
export function movedTopic(topic: PlannedTopic, { identity }: Pick<TopicDescription, 'identity'>): MovedTopic {
  const firsts = topic.ranges.map((range) => range.first - startOf(topic, range));
  return { name: topic.name, identityBefore: topic.identity, identity, firsts };
}

/** The first offset in the new topic. */
function startOf({ log }: PlannedTopic, { first }: PlannedPartition): Offset {
  return log === 'source' ? first : 0;
}

async function fill(
  there: IdentifiedPartition,
  below: Offset,
  { to, now, onBytes, ...waiting }: TopicMove,
): Promise<void> {
  const filler = { value: new Uint8Array(0), headers: [], timestamp: now };
  for (let at = 0; at < below;) {
    const records = Array.from({ length: Math.min(fillersAtOnce, below - at) }, () => filler);
    requireOffset(there, { expected: at, found: await to.append(there, records, waiting) });
    at += records.length;
    onBytes(0);
  }
}

interface PartitionCopy {
  readonly there: IdentifiedPartition;
  readonly start: Offset;
  readonly range: PlannedPartition;
  readonly partition: number;
}

async function copy(
  topic: PlannedTopic,
  { there, start, range: { first, end }, partition }: PartitionCopy,
  { from, to, maxAppendBytes, onBytes, ...waiting }: TopicMove,
): Promise<void> {
  const here = { topic: topic.name, partition, identity: topic.identity };
  let at = start;
  for await (const records of recordsOf(from, { at: here, first, end }, waiting))
    for (const batch of batchesOf(records, maxAppendBytes)) {
      requireOffset(there, { expected: at, found: await to.append(there, batch, waiting) });
      at += batch.length;
      onBytes(batch.reduce((sum, record) => sum + bytesOf(record), 0));
    }
}

/** Records that go together; a record of its own where one is as large as an append may be. */
function* batchesOf(records: readonly LogRecord[], mostBytes: number): Generator<readonly LogRecord[]> {
  let batch: LogRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const more = bytesOf(record);
    if (batch.length > 0 && bytes + more > mostBytes / 2) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(record);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

function requireOffset(
  { topic, partition }: IdentifiedPartition,
  { expected, found }: { readonly expected: Offset; readonly found: Offset },
): void {
  if (found === expected) return;
  throw differs(topic, `a record of partition ${partition} got the offset ${found}, expected ${expected}`);
}

/** `migration.failed` when the topic of the cluster, under its identity, does not have what was copied. */
export async function verifyTopic(
  topic: PlannedTopic,
  { identity }: Pick<TopicDescription, 'identity'>,
  { from, to, ...waiting }: Pick<TopicMove, 'from' | 'to' | 'signal'>,
): Promise<void> {
  await verifyEnds(topic, { identity }, { to, ...waiting });
  for (const partition of topic.ranges.keys())
    if (!(await isCopied(topic, { identity, partition }, { from, to, ...waiting })))
      throw differs(topic.name, `the records of partition ${partition} are others`);
  // Kafka may have removed more while it was read.
  await verifyEnds(topic, { identity }, { to, ...waiting });
}

/**
 * Whether the records that are left are those that were copied: Kafka removes old ones from the moment on that it has them, also between
 * a look at the first one and the answer with its records.
 */
async function isCopied(
  topic: PlannedTopic,
  { identity, partition }: Pick<IdentifiedPartition, 'identity' | 'partition'>,
  { from, to, ...waiting }: Pick<TopicMove, 'from' | 'to' | 'signal'>,
): Promise<boolean> {
  const range = rangeOf(topic, partition);
  const start = startOf(topic, range);
  const there = { topic: topic.name, partition, identity };
  const here = { ...there, identity: topic.identity };
  for (let before: Offset | undefined; ;) {
    const { first } = await to.range(there, waiting);
    if (first === before) return false;
    const gone = first - start;
    const left = { at: here, first: range.first + gone, end: range.end };
    const expected = gone === 0 ? range.digest : await digestOf(from, left, waiting);
    const end = start + range.end - range.first;
    if ((await digestOf(to, { at: there, first, end }, waiting)) === expected) return true;
    before = first;
  }
}

function rangeOf({ ranges, name }: PlannedTopic, partition: number): PlannedPartition {
  const range = ranges[partition];
  if (range === undefined) throw new MillraceError('internal.bug', `topic "${name}" has no partition ${partition}`);
  return range;
}

/**
 * The same of its identity, its first offsets and its ends alone. Records that every sink has taken may be gone: Kafka removes them by its
 * own rules, whoever copies meanwhile.
 */
export async function verifyEnds(
  topic: PlannedTopic,
  { identity }: Pick<TopicDescription, 'identity'>,
  { to, ...waiting }: Pick<TopicMove, 'to' | 'signal'>,
): Promise<void> {
  const found = await to.describeTopic(topic.name, waiting);
  if (found?.identity !== identity) throw differs(topic.name, 'somebody has made it anew');
  const ranges = await to.ranges(topic.name, waiting);
  for (const [partition, range] of topic.ranges.entries()) {
    const start = startOf(topic, range);
    const end = start + range.end - range.first;
    const there = ranges[partition];
    const needed = start + range.needed - range.first;
    const isWhole = there?.durableEnd === end && there.stableEnd === end && there.first >= start;
    if (isWhole && there.first <= needed) continue;
    const found = `partition ${partition} has the offsets [${there?.first}, ${there?.durableEnd})`;
    if (!isWhole) throw differs(topic.name, `${found}, expected [${start}, ${end})`);
    const removed = `Kafka has removed events that are not delivered: ${found}, and needed is [${needed}, ${end}). Raise log.topics.retention or log.topics.retentionBytes of the topology`;
    throw differs(topic.name, removed);
  }
}

function differs(topic: string, what: string): MillraceError {
  return new MillraceError('migration.failed', `the topic "${topic}" of the cluster is not as it was copied: ${what}`, {
    details: { topic },
  });
}
