import type { SinkKey } from '../core/ids.ts';
import { isOnlyLate, type SinkStatus } from '../core/sink-status.ts';
import type { Telemetry } from './telemetry.ts';

export interface SinkAlarm {
  readonly key: SinkKey;
  readonly status: SinkStatus;
}

/** A role cannot serve a sink, since just now. Call it when the alarm opens, and `alarmRepeated` at each further try. */
export function alarmOpened({ log, metrics }: Telemetry, { key, status }: SinkAlarm): void {
  metrics.gauge('millrace_open_alarms').inc({ role: status.role, code: status.code });
  log.error({ ...key, ...fieldsOf(status) }, isOnlyLate(status) ? 'sink is late' : 'sink stopped');
}

/** Another try failed for the same reason. */
export function alarmRepeated({ log }: Telemetry, { key, status }: SinkAlarm): void {
  log.warn({ ...key, ...fieldsOf(status) }, isOnlyLate(status) ? 'sink is still late' : 'sink still stopped');
}

/** The role serves the sink again; `status` is the one that `alarmOpened` was called with, or one of the same code. */
export function alarmClosed({ log, metrics }: Telemetry, { key, status }: SinkAlarm): void {
  metrics.gauge('millrace_open_alarms').dec({ role: status.role, code: status.code });
  log.info({ ...key, ...fieldsOf(status) }, 'sink healed');
}

/** A line has the role of its thread already; the one that failed is the stage. */
function fieldsOf({ message, role, ...status }: SinkStatus) {
  return { ...status, stage: role, detail: message };
}
