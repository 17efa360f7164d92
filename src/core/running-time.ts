/**
 * How long a process has run, by looks at its monotonic clock: never more than has passed. The time between two looks
 * counts if they are close together; if not, the process was stopped or stood still (SIGSTOP, a paused container, a
 * machine that slept).
 */
export class RunningTime {
  readonly #longestStepMs: number;
  #lookedAt: number | undefined;
  #ms = 0;

  /** Looks must follow each other within `longestStepMs`, or they prove nothing. */
  constructor(longestStepMs: number) {
    this.#longestStepMs = longestStepMs;
  }

  /** Takes the monotonic clock as it is now; answers how long the process has run since the first look, at least. */
  look(monotonic: number): number {
    const stepMs = monotonic - (this.#lookedAt ?? monotonic);
    if (stepMs <= this.#longestStepMs) this.#ms += stepMs;
    this.#lookedAt = monotonic;
    return this.#ms;
  }
}
