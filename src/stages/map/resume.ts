import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, Partition } from '../../core/offset.ts';
import { decodeOutcome } from '../../core/outcome.ts';
import { resumePosition } from '../../core/progress/resume.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { EventLog, Waiting } from '../../ports/event-log.ts';

export interface ResumeLogs {
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
}

/**
 * The last source offset of a partition that the sink has an outcome for, from which a mapper goes on (rule 1 of the protocol).
 * Checks that both topics are the ones that the document knows and end where its positions allow.
 */
export async function resume(
  { sourceLog, sinkLog }: ResumeLogs,
  at: { readonly progress: SinkProgress; readonly partition: Partition },
  options: Waiting,
): Promise<Offset> {
  const { progress, partition } = at;
  const { topics } = progress;
  await checkIdentity(sourceLog, { topic: topics.source, identity: topics.sourceIdentity }, options);
  await checkIdentity(sinkLog, { topic: topics.sink, identity: topics.sinkIdentity }, options);
  const entry = entryOf(progress, partition);
  const sink = (await sinkLog.ranges(topics.sink, options))[partition];
  const last = await sinkLog.lastRecord({ topic: topics.sink, partition }, options);
  const lastTo = last === undefined ? undefined : decodeOutcome(last.value).to;
  const position = resumePosition(entry, lastTo === undefined ? undefined : { lastTo, firstOffset: sink?.first ?? 0 });
  // Read last: whatever outcome was found before, the source had its record already.
  const source = (await sourceLog.ranges(topics.source, options))[partition];
  checkEnd({ topic: topics.source, partition, end: source?.end ?? 0, known: position + 1 });
  checkEnd({ topic: topics.sink, partition, end: sink?.end ?? 0, known: entry.sink });
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

async function checkIdentity(
  log: EventLog,
  { topic, identity }: { topic: string; identity: string },
  options: Waiting,
): Promise<void> {
  const found = await log.describeTopic(topic, options);
  if (found === undefined) throw new MillraceError('log.topicNotFound', `topic "${topic}" does not exist`);
  if (found.identity === identity) return;
  throw new MillraceError(
    'progress.topicChanged',
    `topic "${topic}" was made anew: its identity is ${found.identity}, the catalog knows ${identity}`,
  );
}
