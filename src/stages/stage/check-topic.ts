import { MillraceError } from '../../core/millrace-error.ts';
import type { Partition } from '../../core/offset.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { EventLog, Waiting } from '../../ports/event-log.ts';

/** Rejects when the sink topic is not the one that the document knows, or ends below the document's position. */
export async function checkTopic(
  sinkLog: EventLog,
  { progress, partition }: { readonly progress: SinkProgress; readonly partition: Partition },
  options: Waiting,
): Promise<void> {
  const { sink: topic, sinkIdentity } = progress.topics;
  const found = await sinkLog.describeTopic(topic, options);
  if (found === undefined) throw new MillraceError('log.topicNotFound', `topic "${topic}" does not exist`);
  if (found.identity !== sinkIdentity) {
    throw new MillraceError(
      'progress.topicChanged',
      `topic "${topic}" was made anew: its identity is ${found.identity}, the catalog knows ${sinkIdentity}`,
    );
  }
  const end = (await sinkLog.ranges(topic, options))[partition]?.end ?? 0;
  const known = entryOf(progress, partition).sink;
  if (end < known)
    throw new MillraceError(
      'progress.logBehind',
      `topic "${topic}" partition ${partition} ends at ${end}, but the catalog knows offsets up to ${known}`,
    );
}
