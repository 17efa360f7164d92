/** Nobody expects rows sooner, however short the triggers. */
const leastTargetMs = 60_000;

/** The intervals of the triggers of both steps, as the settings in force of a sink have them. */
export interface TriggerIntervals {
  readonly staging: { readonly intervalMs: number };
  readonly target: { readonly intervalMs: number };
}

/** How old an event of a sink may be when it is in its table: two rounds of the triggers. */
export function freshnessTargetMs({ staging, target }: TriggerIntervals): number {
  return Math.max(leastTargetMs, 2 * (staging.intervalMs + target.intervalMs));
}
