import type { StatusObserver } from '../../stages/status/status-board.ts';
import type { Configuration } from '../../stages/replica/configuration.ts';
import type { SinkKey } from '../../core/ids.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import { importFailed } from '../../telemetry/import-ended.ts';
import { alarmClosed, alarmOpened, alarmRepeated } from '../../telemetry/sink-alarm.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** Tells the log and the metrics which sinks are stopped. */
export function observeStatus(telemetry: Telemetry, configuration: Pick<Configuration, 'progressOf'>): StatusObserver {
  const opened = new Map<SinkStatus['incarnation'], { readonly key: SinkKey; readonly status: SinkStatus }>();
  return {
    sinkFailed: (status) => {
      const key = configuration.progressOf(status.incarnation)?.value.key;
      if (key === undefined) return;
      if (status.role === 'import') importFailed(telemetry, key);
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
      if (before !== undefined) alarmClosed(telemetry, before);
    },
  };
}
