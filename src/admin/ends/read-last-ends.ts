import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, Partition } from '../../core/offset.ts';
import { decodeOutcome } from '../../core/outcome.ts';
import type { SinkProgress, SinkTopics } from '../../core/progress/sink-progress.ts';
import { lastEnds, type Ends, type SourceEnds } from '../../core/progress/switch.ts';
import type { EventLog, Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { readKnownEnds } from './read-ends.ts';

/**
 * Ends at which an incarnation may be deleted: those of its source topic, and where that has lost what the document knows, or is
 * gone, or another one, the end of what the sink's own topic has outcomes for.
 */
export async function readLastEnds(
  { sourceLog, sinkLog }: Pick<AdminContext, 'sourceLog' | 'sinkLog'>,
  progress: SinkProgress,
  options: Waiting,
): Promise<SourceEnds> {
  const found = await endsUnlessLost(sourceLog, progress.topics, options);
  return lastEnds(progress, found, await mappedEnds(sinkLog, progress.topics, options));
}

/** Undefined when the log answers that the topic is gone, or another one. */
async function endsUnlessLost(log: EventLog, topics: SinkTopics, options: Waiting): Promise<SourceEnds | undefined> {
  try {
    return await readKnownEnds(log, topics, options);
  } catch (thrown) {
    const { code } = MillraceError.fromUnknown(thrown);
    if (code === 'log.topicNotFound' || code === 'progress.topicChanged') return undefined;
    throw thrown;
  }
}

/** Behind the last outcome of each partition; empty when the topic is not the one that the document knows. */
async function mappedEnds(log: EventLog, { sink, sinkIdentity }: SinkTopics, options: Waiting): Promise<Ends> {
  const ends = new Map<Partition, Offset>();
  const { identity, partitions } = (await log.describeTopic(sink, options)) ?? { identity: '', partitions: 0 };
  if (identity !== sinkIdentity) return ends;
  for (let partition = 0; partition < partitions; partition += 1) {
    const last = await log.lastRecord({ topic: sink, partition }, options);
    ends.set(partition, last === undefined ? 0 : decodeOutcome(last.value).to + 1);
  }
  return ends;
}
