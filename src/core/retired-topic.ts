import type { Source } from './source.ts';

/** The topic of an existence of a source that has ended. */
export interface RetiredTopic {
  readonly name: string;
  readonly identity: string;
}

/** Topics that nobody sends to any more: those of earlier existences, and the own one of a source that is deleted. */
export function retiredTopics(
  source: Pick<Source, 'retired' | 'deleted' | 'topic' | 'topicIdentity'>,
): readonly RetiredTopic[] {
  const { retired = [], deleted, topic, topicIdentity } = source;
  return deleted === undefined ? retired : [...retired, { name: topic, identity: topicIdentity }];
}
