import { earlierIntervalMs } from './earlier-interval.ts';
import type { Incarnation } from './ids.ts';

/** Conditions of one step; whichever is met first closes what is open. */
export interface TriggerConditions {
  readonly count: number;
  readonly sizeBytes: number;
  readonly intervalMs: number;
  /** Staged slices; infinite for a step that has none. */
  readonly slices: number;
}

/** What is open: a slice, or all that is staged of a sink. */
export interface TriggerState {
  readonly count: number;
  /** CSV bytes before compression. */
  readonly bytes: number;
  readonly slices: number;
  /** When the first outcome was taken or the first slice staged; undefined when nothing is open. */
  readonly openedAt: number | undefined;
}

/** A condition that is met. */
export type MetCondition = 'count' | 'size' | 'interval' | 'slices';

/** Why something was closed. */
export type TriggerCause = MetCondition | 'flush' | 'mapping' | 'drain' | 'retry';

/** Closes what is open at one of the steps. All times are of one clock, which the caller chooses. */
export class Trigger implements TriggerConditions {
  readonly count: number;
  readonly sizeBytes: number;
  readonly intervalMs: number;
  readonly slices: number;

  constructor({ count, sizeBytes, intervalMs, slices }: TriggerConditions) {
    this.count = count;
    this.sizeBytes = sizeBytes;
    this.intervalMs = intervalMs;
    this.slices = slices;
  }

  /** The first condition that is met, or undefined. */
  due({ count, bytes, slices, openedAt }: TriggerState, now: number): MetCondition | undefined {
    if (openedAt === undefined) return undefined;
    const full = this.full(count, bytes);
    if (full !== undefined) return full;
    if (now - openedAt >= this.intervalMs) return 'interval';
    return slices >= this.slices ? 'slices' : undefined;
  }

  /** The condition that what is open meets by what it holds; for a slice that has just grown. */
  full(count: number, bytes: number): 'count' | 'size' | undefined {
    if (count >= this.count) return 'count';
    return bytes >= this.sizeBytes ? 'size' : undefined;
  }

  /** When a condition is met at the latest: now, or when the interval is over; undefined when nothing is open. */
  deadline(state: TriggerState, now: number): number | undefined {
    const { openedAt } = state;
    if (openedAt === undefined) return undefined;
    return this.due(state, now) === undefined ? openedAt + this.intervalMs : now;
  }

  /** True when the conditions are the same: then a change of settings moves nothing that waits. */
  same(other: TriggerConditions): boolean {
    const { count, sizeBytes, intervalMs, slices } = other;
    return (
      this.count === count && this.sizeBytes === sizeBytes && this.intervalMs === intervalMs && this.slices === slices
    );
  }

  /** The same as it really is for one sink: due a little earlier, at another moment for each sink. */
  spread(incarnation: Incarnation): Trigger {
    const { count, sizeBytes, slices } = this;
    return new Trigger({ count, sizeBytes, slices, intervalMs: earlierIntervalMs(this.intervalMs, incarnation) });
  }
}
