import type { Source } from '../../core/source.ts';
import { diskFull, type SourceRefusal } from '../../events/refusal.ts';
import type { SourceHindrance } from '../../stages/retain/retention.ts';

/** Why sources take no more events, beyond what their definitions say. It survives a message between threads. */
export interface SourceHindrances {
  /** No source takes any. */
  readonly isDiskFull: boolean;
  /** By topic of the source. */
  readonly ofTopics: ReadonlyMap<string, SourceHindrance>;
}

export const noHindrances: SourceHindrances = { isDiskFull: false, ofTopics: new Map() };

/** What senders are answered while a source takes nothing; undefined while it does. */
export function sourceRefusal(
  { sourceId, topic }: Pick<Source, 'sourceId' | 'topic'>,
  { isDiskFull, ofTopics }: SourceHindrances,
): SourceRefusal | undefined {
  if (isDiskFull) return diskFull;
  const error = ofTopics.get(topic);
  switch (error) {
    case undefined:
      return undefined;
    case 'budgetSpent':
      return {
        error,
        message: `Source "${sourceId}" holds as many undelivered events as "log.retention.size" allows: events are taken again when its sinks have caught up.`,
        retryAfterSeconds: 10,
      };
    case 'logBehind':
      return {
        error,
        message: `The log of source "${sourceId}" ends before events that its sinks have taken already: events are taken again when log and catalog are restored from the same moment.`,
        retryAfterSeconds: 60,
      };
    default:
      return error satisfies never;
  }
}
