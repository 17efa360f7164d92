import type { RetentionObserver } from '../../stages/retain/retention.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

const labels = { role: 'retain', code: 'retain.clockDoubted' };
const unread = { role: 'retain', code: 'catalog.invalidDocument' };

/** Tells the log what retention took although a sink needed it, and what it could not do; and rings while the clock is in doubt. */
export function observeRetention({ log, metrics }: Telemetry): RetentionObserver {
  return {
    clockDoubted: (differenceMs) => {
      metrics.gauge('millrace_open_alarms').set(labels, 1);
      log.error({ code: labels.code, differenceMs }, 'the clock was set: no event is removed because of its age');
    },
    clockTrusted: () => {
      metrics.gauge('millrace_open_alarms').set(labels, 0);
      log.info({ code: labels.code }, 'the clock is trusted again: events are removed by age');
    },
    documentsUnread: (ids) => {
      metrics.gauge('millrace_open_alarms').set(unread, ids.length);
      if (ids.length === 0) log.info({ code: unread.code }, 'the documents of all sinks can be read again');
      else log.error({ code: unread.code, ids }, 'documents of sinks cannot be read: no event goes that they may need');
    },
    neededRecordsRemoved: ({ branchId, sourceId }, count) =>
      log.error({ branchId, sourceId, count }, 'events removed at their maximum age before every sink had them'),
    retentionFailed: ({ branchId, sourceId }, error) =>
      log.warn({ branchId, sourceId, code: error.code, err: error }, 'retention failed'),
  };
}
