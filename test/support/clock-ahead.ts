import type { Clock } from '../../src/core/clock.ts';

/** A clock whose wall is ahead of another's by as much as a test says; what lasts lasts as long. */
export class ClockAhead implements Clock {
  aheadMs = 0;
  readonly #of: Clock;

  constructor(of: Clock) {
    this.#of = of;
  }

  now(): number {
    return this.#of.now() + this.aheadMs;
  }

  monotonic(): number {
    return this.#of.monotonic();
  }

  sleep(...sleep: Parameters<Clock['sleep']>): Promise<void> {
    return this.#of.sleep(...sleep);
  }
}
