import type { Source } from '../../core/source.ts';
import { diskFull, type SourceRefusal } from '../../events/refusal.ts';
import type { Retention } from '../../stages/retain/retention.ts';
import type { DiskGuard } from './disk-guard.ts';

/** Whoever knows why no events can be taken. */
export interface Hindrances {
  readonly disk: Pick<DiskGuard, 'isFull'>;
  readonly retention: Pick<Retention, 'hindrance'>;
}

/** What senders are answered while a source takes nothing; undefined while it does. */
export function sourceRefusal(
  { sourceId, topic }: Pick<Source, 'sourceId' | 'topic'>,
  { disk, retention }: Hindrances,
): SourceRefusal | undefined {
  if (disk.isFull) return diskFull;
  const error = retention.hindrance(topic);
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
