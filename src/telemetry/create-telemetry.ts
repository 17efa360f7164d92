import { collectDefaultMetrics } from 'prom-client';
import { createLogger, type LoggerOptions } from './logger.ts';
import { measureEventLoop } from './event-loop.ts';
import { createMetrics } from './metrics.ts';
import type { Telemetry } from './telemetry.ts';

export interface TelemetryOptions extends LoggerOptions {
  /** True in one thread of the process: it also serves what Node tells of the process. */
  readonly main: boolean;
}

/** What makes the telemetry of a thread. */
export type TelemetryOf = (options: TelemetryOptions) => Telemetry;

/** Makes the telemetry of a thread. */
export function createTelemetry({ main, ...logger }: TelemetryOptions): Telemetry {
  const metrics = createMetrics();
  if (main) collectDefaultMetrics({ register: metrics.registry });
  const telemetry = { log: createLogger(logger), metrics };
  measureEventLoop(telemetry, logger.role);
  return telemetry;
}
