import type { SinkProgress } from './sink-progress.ts';

export interface Holes {
  /** Events that the sink was to take and that were lost before they were delivered, since the incarnation began. */
  readonly counted: number;
  /** Those of them that no operator has acknowledged. */
  readonly ringing: number;
}

/** The holes of a sink, exact. They ring until somebody, having seen them, clears the statistics of the sink. */
export function holesOf({ totals, acknowledgedHoles = 0 }: SinkProgress): Holes {
  const counted = Object.values(totals).reduce((sum, { holes }) => sum + holes, 0);
  return { counted, ringing: Math.max(0, counted - acknowledgedHoles) };
}
