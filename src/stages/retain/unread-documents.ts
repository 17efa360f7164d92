import { progressDocuments, sourceTopicNamedIn } from '../../documents/progress-document.ts';
import type { Configuration } from '../replica/configuration.ts';

/**
 * Documents of sinks that this release cannot read, or not wholly. What such a sink needs is not known, so it needs all
 * that its source has.
 */
export interface UnreadDocuments {
  readonly ids: readonly string[];
  /** Whether one of them may need what is in the topic. */
  mayNeed(topic: string): boolean;
}

/**
 * A document that still names its source keeps the records of that source alone; any other keeps those of all sources.
 */
export function unreadDocuments({ progress, sources }: Configuration): UnreadDocuments {
  const known = new Set([...sources.values()].map(({ value }) => value.topic));
  const newer = [...progress.values()].filter(({ value }) => !progressDocuments.isWritable(value));
  const unread = new Map<string, { readonly value: unknown }>(progress.unreadable);
  for (const held of newer) unread.set(held.id, held);
  const topics = [...unread.values()].map(({ value }) => sourceTopicNamedIn(value));
  const isAny = topics.some((topic) => topic === undefined || !known.has(topic));
  const needed = new Set(topics);
  return { ids: [...unread.keys()], mayNeed: (topic) => isAny || needed.has(topic) };
}
