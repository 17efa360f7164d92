import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** What a part of the product gets to speak with: it hands it to the functions of this room. */
export interface Telemetry {
  readonly log: Logger;
  readonly metrics: Metrics;
}
