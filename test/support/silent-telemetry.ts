import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { Telemetry } from '../../src/telemetry/telemetry.ts';
import type { Logger } from '../../src/telemetry/logger.ts';

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

/** Counts and says nothing. */
export function silentTelemetry(): Telemetry {
  return { log: silent, metrics: createMetrics() };
}
