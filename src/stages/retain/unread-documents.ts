import { sourceTopicNamedIn } from '../../documents/progress-document.ts';
import type { Configuration } from '../replica/configuration.ts';

/** Documents of sinks that cannot be read. What such a sink needs is not known, so it needs all that its source has. */
export interface UnreadDocuments {
  readonly ids: readonly string[];
  /** Whether one of them may need what is in the topic. */
  mayNeed(topic: string): boolean;
}

/** One that still says which source it is of keeps the records of that source alone; any other one those of all. */
export function unreadDocuments({ progress, sources }: Configuration): UnreadDocuments {
  const known = new Set([...sources.values()].map(({ value }) => value.topic));
  const topics = [...progress.unreadable.values()].map(({ value }) => sourceTopicNamedIn(value));
  const isAny = topics.some((topic) => topic === undefined || !known.has(topic));
  const needed = new Set(topics);
  return { ids: [...progress.unreadable.keys()], mayNeed: (topic) => isAny || needed.has(topic) };
}
