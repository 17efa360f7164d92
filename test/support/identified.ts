import type { TopicPartition } from '../../src/core/offset.ts';
import type { EventLog, IdentifiedPartition } from '../../src/ports/event-log.ts';

/** The partition in the existence that its topic has now. */
export async function identified(log: EventLog, at: TopicPartition): Promise<IdentifiedPartition> {
  const found = await log.describeTopic(at.topic, { signal: new AbortController().signal });
  if (found === undefined) throw new Error(`there is no topic "${at.topic}"`);
  return { ...at, identity: found.identity };
}
