import type { SourceKey } from '../../core/ids.ts';
import type { IngestMetrics } from '../../stages/ingest/ingest-metrics.ts';
import { createSourceMeter, type SourceMeter } from '../../telemetry/source-meter.ts';
import { requestRefused } from '../../telemetry/request-refused.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** Tells the log and the metrics what ingest does; on the hot path it only counts. */
export function observeIngest(telemetry: Telemetry): IngestMetrics {
  const { log } = telemetry;
  const meters = new WeakMap<SourceKey, SourceMeter>();
  const meterOf = (key: SourceKey): SourceMeter => {
    const known = meters.get(key);
    if (known !== undefined) return known;
    const meter = createSourceMeter(telemetry, key);
    meters.set(key, meter);
    return meter;
  };
  return {
    stored: (source, { events, bytes, ms }) => {
      const meter = meterOf(source);
      meter.accepted({ events, bytes });
      meter.answered(ms / 1000);
      if (events > 1) meter.split();
    },
    accepted: () => undefined,
    appendFailed: (source, error, lost) =>
      log.error({ ...source, lost, code: error.code, err: error }, 'append failed'),
    refused: (status, error) =>
      requestRefused(telemetry, { reason: error.replace(/^stream\.in\./, ''), status, message: error }),
    cut: (reason) => requestRefused(telemetry, { reason, status: 0, message: 'connection cut' }),
    failed: (error) => log.error({ code: error.code, err: error }, 'ingest failed'),
  };
}
