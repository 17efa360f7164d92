/** Bounds of the patience with a thread, in milliseconds of time in which the process itself ran. */
export interface PulseLimits {
  /** Without a beat: the event loop of the thread does not turn. */
  readonly silentMs: number;
  /** Before the first beat, while the modules of the thread are loaded. */
  readonly startMs: number;
  /** With beats, and without a round of the role: it waits for something that never comes. */
  readonly stillMs: number;
}

/**
 * Longer than any round waits for a server: requests of the log are given up after 30 seconds, and a role that has
 * failed makes no rounds.
 */
export const pulseLimits: PulseLimits = { silentMs: 15_000, startMs: 120_000, stillMs: 120_000 };

export interface Beat {
  /** How many rounds the role has made in its life; undefined while it has no loop. */
  readonly rounds: number | undefined;
  /** Some service of the thread failed, and waits for its next try: it makes no rounds. */
  readonly isPausing: boolean;
}

/**
 * Judges from its beats whether a thread lives. Time is counted in looks, not read from a clock: while the whole process stands
 * still, as one that is stopped, or whose machine sleeps, nobody looks, and nobody is given up for it.
 */
export class Pulse {
  readonly #limits: PulseLimits;
  readonly #lookMs: number;
  #looksWithoutBeat = 0;
  #looksWithoutRound = 0;
  #rounds: number | undefined;
  #hasBeaten = false;

  /** `lookMs`: time between two looks. */
  constructor(limits: PulseLimits, lookMs: number) {
    this.#limits = limits;
    this.#lookMs = lookMs;
  }

  heard({ rounds, isPausing }: Beat): void {
    this.#hasBeaten = true;
    this.#looksWithoutBeat = 0;
    if (isPausing || rounds === undefined || rounds !== this.#rounds) this.#looksWithoutRound = 0;
    this.#rounds = rounds;
  }

  /** Answers why the thread is given up; undefined while there is no reason. */
  look(): string | undefined {
    const { silentMs, startMs, stillMs } = this.#limits;
    this.#looksWithoutBeat += 1;
    this.#looksWithoutRound += 1;
    const silent = (this.#looksWithoutBeat - 1) * this.#lookMs;
    if (silent >= (this.#hasBeaten ? silentMs : startMs)) return `it gave no sign of life for ${silent / 1000} seconds`;
    const still = (this.#looksWithoutRound - 1) * this.#lookMs;
    if (this.#hasBeaten && still >= stillMs) return `its work stood still for ${still / 1000} seconds`;
    return undefined;
  }
}
