import type { AppendObserver } from '../../adapters/kafka/append-observer.ts';
import { appendAlarmClosed, appendAlarmOpened } from '../../telemetry/append-alarm.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** Logs and counts partitions of Kafka that take no appends. */
export function observeAppends(telemetry: Telemetry): AppendObserver {
  return {
    troubled: (trouble) => appendAlarmOpened(telemetry, trouble),
    mended: (at) => appendAlarmClosed(telemetry, at),
  };
}
