import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { Spans } from './spans.ts';

/** What a part of the product gets to speak with: it hands it to the functions of this room. */
export interface Telemetry {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Absent: no spans are wanted. */
  readonly spans?: Spans;
}
