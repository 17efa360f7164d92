import { MillraceError } from '../../core/millrace-error.ts';
import { topicChanged, type KnownTopic } from '../../core/topic-changed.ts';
import type { EventLog, TopicDescription } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** The topic as it is now. `log.topicNotFound`; `progress.topicChanged` when the topic is not the one that a document knows. */
export async function checkIdentity(
  log: EventLog,
  { topic, identity }: KnownTopic,
  options: Waiting,
): Promise<TopicDescription> {
  const found = await log.describeTopic(topic, options);
  if (found === undefined) throw new MillraceError('log.topicNotFound', `topic "${topic}" does not exist`);
  if (found.identity !== identity) throw topicChanged({ topic, identity: found.identity }, identity);
  return found;
}
