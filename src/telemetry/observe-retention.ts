import type { MillraceError } from '../core/millrace-error.ts';
import type { Source } from '../core/source.ts';
import { sourceLabels } from './labels.ts';
import type { Telemetry } from './telemetry.ts';

/** What retention tells about its work; every method is quick and never throws. */
export interface RetentionObserver {
  /** Records that a sink still needed went because of their age. */
  neededRecordsRemoved(source: Source, count: number): void;
  retentionFailed(source: Source, error: MillraceError): void;
  /** Somebody has set the clock by so much: nothing goes because of its age until both clocks have agreed for a day. */
  clockDoubted(differenceMs: number): void;
  /** They have agreed for long enough. */
  clockTrusted(): void;
  /** These documents of sinks cannot be read, and keep what they may need; none: all can be read again. */
  documentsUnread(ids: readonly string[]): void;
}

const doubted = { role: 'retain', code: 'retain.clockDoubted' };
const unread = { role: 'retain', code: 'catalog.invalidDocument' };

/** Logs and counts what retention took although a sink needed it; rings while the clock is in doubt or a document unread. */
export function observeRetention({ log, metrics }: Telemetry): RetentionObserver {
  const alarms = metrics.gauge('millrace_open_alarms');
  return {
    clockDoubted: (differenceMs) => {
      alarms.set(doubted, 1);
      log.error({ code: doubted.code, differenceMs }, 'the clock was set: no event is removed because of its age');
    },
    clockTrusted: () => {
      alarms.set(doubted, 0);
      log.info({ code: doubted.code }, 'the clock is trusted again: events are removed by age');
    },
    documentsUnread: (ids) => {
      alarms.set(unread, ids.length);
      if (ids.length === 0) log.info({ code: unread.code }, 'the documents of all sinks can be read again');
      else log.error({ code: unread.code, ids }, 'documents of sinks cannot be read: no event goes that they may need');
    },
    neededRecordsRemoved: ({ branchId, sourceId }, count) => {
      metrics.counter('millrace_retention_lost_events_total').inc(sourceLabels(metrics, { branchId, sourceId }), count);
      log.error({ branchId, sourceId, count }, 'events removed at their maximum age before every sink had them');
    },
    retentionFailed: ({ branchId, sourceId }, error) =>
      log.warn({ branchId, sourceId, code: error.code, err: error }, 'retention failed'),
  };
}
