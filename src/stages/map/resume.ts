import { progressId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, Partition } from '../../core/offset.ts';
import { decodeOutcome, outcomeEpoch } from '../../core/outcome.ts';
import { requireUncut, type ReadPlace } from '../../core/progress/cut.ts';
import { resumePosition } from '../../core/progress/resume.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { topicChanged } from '../../core/topic-changed.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { EventLog, IdentifiedPartition } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { checkHeld } from './check-held.ts';
import { checkIdentity } from '../replica/known-topic.ts';

export interface ResumePorts {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
}

/**
 * Where a mapper goes on: the last source offset that the sink has an outcome for, and the epoch that it was read in,
 * where it is known.
 */
export type Resumption = Pick<ReadPlace, 'position'> & { readonly epoch: number | undefined };

/**
 * Where a mapper goes on in a partition (rule 1 of the protocol). Checks that both topics, and the partition to be
 * read, are the ones that the document knows, that they end where its positions allow, and that they still have what
 * was read. `catalog.newerDocument` when only a newer release may map by the document.
 */
export async function resume(
  { catalog, sourceLog, sinkLog }: ResumePorts,
  { progress, at }: { readonly progress: SinkProgress; readonly at: IdentifiedPartition },
  options: Waiting,
): Promise<Resumption> {
  const { partition } = at;
  const { topics } = progress;
  const entry = entryOf(progress, partition);
  progressDocuments.requireWritable(progress, progressId(progress.incarnation));
  checkSource(progress, at);
  requireUncut(progress, partition, entry);
  const from = await checkIdentity(sourceLog, { topic: topics.source, identity: topics.sourceIdentity }, options);
  const to = await checkIdentity(sinkLog, { topic: topics.sink, identity: topics.sinkIdentity }, options);
  // Somebody has added partitions to the source: its sinks follow, also those that take no events now.
  if (to.partitions <= partition)
    await sinkLog.growTopic(topics.sink, Math.max(from.partitions, partition + 1), options);
  const sink = await sinkLog.range({ topic: topics.sink, partition }, options);
  const last = await sinkLog.lastRecord({ topic: topics.sink, partition }, options);
  const lastTo = last === undefined ? undefined : decodeOutcome(last.value).to;
  const position = resumePosition(entry, lastTo === undefined ? undefined : { lastTo, firstOffset: sink.first });
  const epoch = position === entry.source || last === undefined ? entry.epoch : outcomeEpoch(last.headers);
  if (epoch !== undefined) {
    const found = await sourceLog.epochEnd(at, epoch, options);
    await checkHeld(catalog, { progress, partition, place: { position, epoch }, found }, options);
  }
  // Read last: whatever outcome was found before, the source had its record already.
  const source = await sourceLog.range({ topic: topics.source, partition }, options);
  checkEnd({ topic: topics.source, partition, end: source.durableEnd, known: position + 1 });
  checkEnd({ topic: topics.sink, partition, end: sink.durableEnd, known: entry.sink });
  return { position, epoch };
}

function checkEnd({
  topic,
  partition,
  end,
  known,
}: {
  topic: string;
  partition: Partition;
  end: Offset;
  known: Offset;
}): void {
  if (end >= known) return;
  throw new MillraceError(
    'progress.logBehind',
    `topic "${topic}" partition ${partition} ends at ${end}, but the catalog knows offsets up to ${known}`,
  );
}

/** `progress.topicChanged` when the document speaks of another existence of the source topic than the one that is read. */
export function checkSource({ topics }: SinkProgress, at: IdentifiedPartition): void {
  if (at.identity !== topics.sourceIdentity) throw topicChanged(at, topics.sourceIdentity);
}
