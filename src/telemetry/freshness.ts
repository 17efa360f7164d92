import type { SinkKey } from '../core/ids.ts';

/** What is needed to say how old events are, and whether that is too old. */
export interface Freshness {
  /** Milliseconds since the epoch. */
  now(): number;
  /** How old an event of a sink may be when it is in its table. */
  targetMs(key: SinkKey): number;
  /** What arrived before is late through nobody's fault: the sink was made later. Milliseconds since the epoch. */
  countsSince(key: SinkKey): number;
}
