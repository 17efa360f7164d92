import type { SourceKey } from '../../core/ids.ts';
import type { Source } from '../../core/source.ts';
import { sourceTopic } from '../../core/topic-name.ts';
import type { TopicDescription } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { maxRecordBytes } from './prepare-sink.ts';
import { takeUnusedIncarnation, type TakeUnusedIncarnationParts } from './take-unused-incarnation.ts';

export type MakeSourceTopicParts = Pick<Parts, 'partitions' | 'sourceLog'> & TakeUnusedIncarnationParts;

export interface SourceTopicMade {
  readonly key: SourceKey;
  readonly before: Source | undefined;
  /** Absent: as many as the process gives a source. */
  readonly partitions?: number | undefined;
}

/**
 * The topic of a source's first existence has no number in its name. It may be there already, empty, from a create that
 * failed. If it holds records, they belong to something else, and the name gets a number, as for every later existence; also if it has
 * another number of partitions than it is to have.
 */
export async function makeSourceTopic(
  parts: MakeSourceTopicParts,
  { key, before, partitions: asked }: SourceTopicMade,
  options: Waiting,
): Promise<{ readonly incarnation: number; readonly topic: TopicDescription }> {
  const { sourceLog } = parts;
  const partitions = asked ?? parts.partitions;
  if (before === undefined) {
    const name = sourceTopic(key);
    const found = await sourceLog.describeTopic(name, options);
    const ranges = found === undefined ? [] : await sourceLog.ranges(name, options);
    if (found === undefined)
      return { incarnation: 1, topic: await sourceLog.createTopic({ name, partitions, maxRecordBytes }, options) };
    const isEmpty = ranges.every(({ durableEnd }) => durableEnd === 0);
    const fits = asked === undefined || found.partitions === asked;
    if (isEmpty && fits) return { incarnation: 1, topic: found };
  }
  const incarnation = await takeUnusedIncarnation(parts, options);
  const name = sourceTopic(key, incarnation);
  return { incarnation, topic: await sourceLog.createTopic({ name, partitions, maxRecordBytes }, options) };
}
