/** Conditions of one step; whichever is met first closes what is open. */
export interface TriggerConditions {
  readonly count: number;
  readonly sizeBytes: number;
  readonly intervalMs: number;
}

/** What is open: a slice, or all that is staged of a sink. */
export interface TriggerState {
  readonly count: number;
  /** CSV bytes before compression. */
  readonly bytes: number;
  /** Since the first outcome or the first staged slice, on a monotonic clock; undefined when nothing is open. */
  readonly ageMs: number | undefined;
}

/** Why something was closed. */
export type TriggerCause = 'count' | 'size' | 'interval' | 'flush' | 'mapping' | 'drain' | 'slices' | 'retry';

/** The first condition that is met, or undefined. */
export function dueTrigger(state: TriggerState, conditions: TriggerConditions): TriggerCause | undefined {
  if (state.ageMs === undefined) return undefined;
  if (state.count >= conditions.count) return 'count';
  if (state.bytes >= conditions.sizeBytes) return 'size';
  if (state.ageMs >= conditions.intervalMs) return 'interval';
  return undefined;
}
