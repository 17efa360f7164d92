import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, Partition } from '../../core/offset.ts';
import { decodeOutcome } from '../../core/outcome.ts';
import { resumePosition } from '../../core/progress/resume.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { EventLog, IdentifiedPartition, Waiting } from '../../ports/event-log.ts';
import { checkIdentity, topicChanged } from '../replica/known-topic.ts';

export interface ResumeLogs {
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
}

/**
 * The last source offset of a partition that the sink has an outcome for, from which a mapper goes on (rule 1 of the protocol).
 * Checks that both topics, and the partition that is to be read, are the ones that the document knows and end where its
 * positions allow.
 */
export async function resume(
  { sourceLog, sinkLog }: ResumeLogs,
  { progress, at }: { readonly progress: SinkProgress; readonly at: IdentifiedPartition },
  options: Waiting,
): Promise<Offset> {
  const { partition } = at;
  const { topics } = progress;
  checkSource(progress, at);
  const from = await checkIdentity(sourceLog, { topic: topics.source, identity: topics.sourceIdentity }, options);
  const to = await checkIdentity(sinkLog, { topic: topics.sink, identity: topics.sinkIdentity }, options);
  // Somebody has added partitions to the source: its sinks follow, also those that take no events now.
  if (to.partitions <= partition)
    await sinkLog.growTopic(topics.sink, Math.max(from.partitions, partition + 1), options);
  const entry = entryOf(progress, partition);
  const sink = (await sinkLog.ranges(topics.sink, options))[partition];
  const last = await sinkLog.lastRecord({ topic: topics.sink, partition }, options);
  const lastTo = last === undefined ? undefined : decodeOutcome(last.value).to;
  const position = resumePosition(entry, lastTo === undefined ? undefined : { lastTo, firstOffset: sink?.first ?? 0 });
  // Read last: whatever outcome was found before, the source had its record already.
  const source = (await sourceLog.ranges(topics.source, options))[partition];
  checkEnd({ topic: topics.source, partition, end: source?.durableEnd ?? 0, known: position + 1 });
  checkEnd({ topic: topics.sink, partition, end: sink?.durableEnd ?? 0, known: entry.sink });
  return position;
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
