import { createMetrics } from './metrics.ts';
import type { Telemetry } from './telemetry.ts';
import type { Logger } from './logger.ts';

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

/** Counts and says nothing: for tests and for code that runs inside another program. */
export function silentTelemetry(): Telemetry {
  return { log: silent, metrics: createMetrics() };
}
