import { MillraceError } from '../../core/millrace-error.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { topicChanged } from '../../core/topic-changed.ts';
import type { EventLog, IdentifiedPartition } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { checkIdentity } from '../replica/known-topic.ts';

/**
 * Rejects when the sink topic, or the partition of it that is to be read, is not the one that the document knows, or ends below
 * the document's position.
 */
export async function checkTopic(
  sinkLog: EventLog,
  { progress, at }: { readonly progress: SinkProgress; readonly at: IdentifiedPartition },
  options: Waiting,
): Promise<void> {
  const { sink: topic, sinkIdentity: identity } = progress.topics;
  const { partition } = at;
  if (at.identity !== identity) throw topicChanged(at, identity);
  await checkIdentity(sinkLog, { topic, identity }, options);
  const { durableEnd: end } = await sinkLog.range({ topic, partition }, options);
  const known = entryOf(progress, partition).sink;
  if (end < known)
    throw new MillraceError(
      'progress.logBehind',
      `topic "${topic}" partition ${partition} ends at ${end}, but the catalog knows offsets up to ${known}`,
    );
}
