import type { RetiredTopic, Source } from './source.ts';

/** Topics that nobody sends to any more: those of earlier existences, and the own one of a source that is deleted. */
export function retiredTopics(
  source: Pick<Source, 'retired' | 'deleted' | 'topic' | 'topicIdentity'>,
): readonly RetiredTopic[] {
  const { retired = [], deleted, topic, topicIdentity } = source;
  return deleted === undefined ? retired : [...retired, { name: topic, identity: topicIdentity }];
}

/** True for a source seen as one of its earlier existences, with the topic of that one. */
export function isRetired({ topic, retired = [] }: Pick<Source, 'topic' | 'retired'>): boolean {
  return retired.some(({ name }) => name === topic);
}
