import { createTelemetry, type TelemetryOf } from '../../../src/telemetry/create-telemetry.ts';
import { SeriesNames } from '../../../src/telemetry/labels.ts';
import type { Logger } from '../../../src/telemetry/logger.ts';
import type { Metrics } from '../../../src/telemetry/metrics.ts';
import { Registry } from 'prom-client';

/** The product's own, or one that does nothing at all: it keeps no number, writes no line and measures no event loop. */
export function telemetryOfBench(): TelemetryOf {
  const asked = process.env['BENCH_TELEMETRY'];
  if (asked === 'on') return createTelemetry;
  if (asked === 'off') return () => ({ log: silentLog, metrics: silentMetrics() });
  throw new Error(`BENCH_TELEMETRY is "${asked}"; it must be "on" or "off"`);
}

const nothing = (): void => undefined;
const silentLog: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silentLog };

/** Whatever is called on it, it does nothing. */
const silent = {
  inc: nothing,
  dec: nothing,
  set: nothing,
  observe: nothing,
  add: nothing,
  remove: nothing,
  reset: nothing,
  labels: () => silent,
  startTimer: () => () => 0,
};

function silentMetrics(): Metrics {
  const answer = (): never => silent as never;
  const names = new SeriesNames();
  return { registry: new Registry(), names, counter: answer, gauge: answer, histogram: answer, ages: answer };
}
