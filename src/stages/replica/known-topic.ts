import { MillraceError } from '../../core/millrace-error.ts';
import type { EventLog, TopicDescription } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** A topic as a document knows it, or as it was found. */
export interface KnownTopic {
  readonly topic: string;
  readonly identity: string;
}

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

/** Its offsets begin anew: mistaken for those of the former topic they would look like repeats. */
export function topicChanged({ topic, identity }: KnownTopic, known: string): MillraceError {
  return new MillraceError(
    'progress.topicChanged',
    `topic "${topic}" was made anew: its identity is ${identity}, the catalog knows ${known}`,
    { details: { topic } },
  );
}
