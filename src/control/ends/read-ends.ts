import { endsOf, type SourceEnds } from '../../core/progress/source-ends.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { topicChanged } from '../../core/topic-changed.ts';
import type { SinkTopics } from '../../core/progress/sink-progress.ts';
import type { EventLog, TopicDescription } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

export async function readEnds(log: EventLog, topic: string, options: Waiting): Promise<SourceEnds> {
  return endsOf(await log.ranges(topic, options));
}

/** The topic as it is now; `log.topicNotFound`, or `progress.topicChanged` when it is not the one that is known. */
export async function describeKnownTopic(
  log: EventLog,
  { name, identity }: { readonly name: string; readonly identity: string },
  options: Waiting,
): Promise<TopicDescription> {
  const found = await log.describeTopic(name, options);
  if (found === undefined)
    throw new MillraceError('log.topicNotFound', `the topic "${name}" does not exist in the log`);
  if (found.identity !== identity) throw topicChanged({ topic: name, identity: found.identity }, identity);
  return found;
}

/** Ends of the source topic that a progress document speaks of, checked to be the same topic. */
export async function readKnownEnds(
  log: EventLog,
  { source, sourceIdentity }: Pick<SinkTopics, 'source' | 'sourceIdentity'>,
  options: Waiting,
): Promise<SourceEnds> {
  const ends = await readEnds(log, source, options);
  // Looked at after them: an identity never comes back, so the ends are those of this very topic.
  await describeKnownTopic(log, { name: source, identity: sourceIdentity }, options);
  return ends;
}

/** Undefined when the log answers that the topic is gone, or another one. */
export async function endsUnlessLost(
  log: EventLog,
  topics: SinkTopics,
  options: Waiting,
): Promise<SourceEnds | undefined> {
  try {
    return await readKnownEnds(log, topics, options);
  } catch (thrown) {
    const { code } = MillraceError.fromUnknown(thrown);
    if (code === 'log.topicNotFound' || code === 'progress.topicChanged') return undefined;
    throw thrown;
  }
}
