import type { Incarnation, SinkKey } from '../core/ids.ts';
import type { SinkStatus } from '../core/sink-status.ts';
import { sinkLabels } from './labels.ts';
import { alarmClosed, alarmOpened, alarmRepeated, type SinkAlarm } from './sink-alarm.ts';
import type { Telemetry } from './telemetry.ts';

/** What a role tells of the sinks that it cannot serve; every method is quick and never throws. */
export interface StatusObserver {
  /** A sink stopped (`attempts` is 1), or still cannot go on. */
  sinkFailed(status: SinkStatus): void;
  /** `status` is what was reported last. */
  sinkHealed(status: SinkStatus): void;
}

/** Logs and counts open alarms, one a sink, under the code that it has now. `keyOf` knows sinks by their incarnation. */
export function observeStatus(
  telemetry: Telemetry,
  keyOf: (incarnation: Incarnation) => SinkKey | undefined,
): StatusObserver {
  const opened = new Map<Incarnation, SinkAlarm>();
  const failures = telemetry.metrics.gauge('millrace_sink_consecutive_failures');
  return {
    sinkFailed: (status) => {
      const key = keyOf(status.incarnation);
      if (key === undefined) return;
      if (status.role === 'import')
        telemetry.metrics
          .counter('millrace_imports_total')
          .inc({ ...sinkLabels(telemetry.metrics, key), result: 'failed' });
      failures.set({ ...sinkLabels(telemetry.metrics, key), role: status.role }, status.attempts);
      const before = opened.get(status.incarnation);
      if (before?.status.code === status.code) {
        alarmRepeated(telemetry, { key, status });
        return;
      }
      if (before !== undefined) alarmClosed(telemetry, before);
      opened.set(status.incarnation, { key, status });
      alarmOpened(telemetry, { key, status });
    },
    sinkHealed: ({ incarnation }) => {
      const before = opened.get(incarnation);
      opened.delete(incarnation);
      if (before === undefined) return;
      failures.remove({ ...sinkLabels(telemetry.metrics, before.key), role: before.status.role });
      alarmClosed(telemetry, before);
    },
  };
}
