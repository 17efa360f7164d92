import { limits } from './limits.ts';
import { RunningTime } from './running-time.ts';

/** Both clocks at one moment, milliseconds. */
export interface ClockReading {
  /** Since the epoch; somebody may set it. */
  readonly wall: number;
  /** Never jumps; begins anew with each process. */
  readonly monotonic: number;
}

/** What a later process goes on from. */
export interface StoredTime {
  /** How long processes of this installation have run, at least. */
  readonly ranMs: number;
  /** Removal by age stands still until they have run for so long. */
  readonly doubtedUntilMs: number;
}

/**
 * How long the processes of an installation have run together: never more than the time that has really passed since
 * the first of them, whatever somebody does to the wall clock. Time in which a process was stopped does not count,
 * which is the time between two looks that are more than half an hour apart. It also says whether the wall clock can be
 * trusted. Once that clock has moved by more than an hour against the monotonic one, it is not trusted until both have
 * agreed for a day of running.
 */
export class InstallationTime {
  /** What earlier processes ran. */
  readonly #ranBeforeMs: number;
  readonly #running = new RunningTime(limits.runningStepMs);
  #ranMs: number;
  #doubtedUntilMs: number;
  /** The last moment at which both agreed. */
  #agreed: ClockReading;

  constructor(stored: StoredTime | undefined, now: ClockReading) {
    this.#ranBeforeMs = stored?.ranMs ?? 0;
    this.#ranMs = this.#ranBeforeMs + this.#running.look(now.monotonic);
    this.#doubtedUntilMs = stored?.doubtedUntilMs ?? 0;
    this.#agreed = now;
  }

  get ranMs(): number {
    return this.#ranMs;
  }

  /** False while the clock on the wall is in doubt. */
  get isTrusted(): boolean {
    return this.#ranMs >= this.#doubtedUntilMs;
  }

  get stored(): StoredTime {
    return { ranMs: this.#ranMs, doubtedUntilMs: this.#doubtedUntilMs };
  }

  /** Takes the clocks as they are now; to be called often. Answers by how much they have come to differ, 0 while they agree. */
  look(now: ClockReading): number {
    this.#ranMs = this.#ranBeforeMs + this.#running.look(now.monotonic);
    const agreedMs = now.monotonic - this.#agreed.monotonic;
    const differenceMs = now.wall - this.#agreed.wall - agreedMs;
    if (Math.abs(differenceMs) > limits.clockDifferenceMs) {
      this.#agreed = now;
      this.#doubtedUntilMs = this.#ranMs + limits.clockDoubtMs;
      return differenceMs;
    }
    if (agreedMs >= limits.clockDoubtMs) this.#agreed = now;
    return 0;
  }
}
