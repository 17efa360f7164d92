import type { Clock } from '../../core/clock.ts';
import { limits } from '../../core/limits.ts';
import { holesOf } from '../../core/progress/holes.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { isSpentDocument } from './purge.ts';

/**
 * When the document of a deleted incarnation with nothing left to do goes: at once, or after a day if holes of it ring.
 * The alarm goes with the document, and some holes are counted last of all: otherwise nobody would be told of them.
 */
export class LastRing {
  readonly #clock: Clock;
  /**
   * When this process first saw that it has nothing left to do. Another process begins anew, so that it rings for
   * longer.
   */
  #since: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Monotonic time at which the document goes; undefined while there is something left to do. `now` is that of the one who asks: a later
   * one would never be due.
   */
  goesAt(progress: SinkProgress, now: number): number | undefined {
    if (!isSpentDocument({ value: progress })) return undefined;
    if (holesOf(progress).ringing === 0) return now;
    this.#since ??= now;
    return this.#since + limits.lastRingMs;
  }

  /** True when it is time for the document to go. */
  isOver(progress: SinkProgress): boolean {
    const now = this.#clock.monotonic();
    return (this.goesAt(progress, now) ?? Number.POSITIVE_INFINITY) <= now;
  }
}
