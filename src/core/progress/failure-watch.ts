import type { LastingFailure, StagedSlice } from './sink-progress.ts';

/** One failure of a slice. */
export interface SeenFailure {
  readonly code: string;
  /** On the wall, milliseconds since the epoch. */
  readonly now: number;
  /** How long this process had run by then, without the time in which it was stopped. */
  readonly ranMs: number;
}

interface Seen {
  readonly code: string;
  readonly since: number;
  /** What the document said when this process first saw the slice fail, and what this process has seen since. */
  readonly provenMs: number;
  readonly at: number;
}

/**
 * What one process remembers of failing slices, to prove how long they have failed. The time that it ran between two
 * failures that it saw itself counts. A step longer than `longestStepMs` does not count, because nobody tried in
 * between. What several processes prove at the same time counts once: each adds to what the document said when it
 * began.
 */
export class FailureWatch {
  readonly #longestStepMs: number;
  /** By slice id. */
  readonly #seen = new Map<string, Seen>();

  /** Tries must follow each other within `longestStepMs`, or they prove nothing. */
  constructor(longestStepMs: number) {
    this.#longestStepMs = longestStepMs;
  }

  /** A slice of the document as it is now has failed; answers what the document is to say of it. The same failure may be noted again. */
  observe({ id, failing }: Pick<StagedSlice, 'id' | 'failing'>, { code, now, ranMs }: SeenFailure): LastingFailure {
    // A wall clock that was set back to before the first failure shows that the time of that failure was wrong.
    if (failing === undefined || failing.code !== code || failing.since > now)
      return this.#remember(id, { code, since: now, provenMs: 0, at: ranMs });
    const { since } = failing;
    const seen = this.#seen.get(id);
    if (seen === undefined || seen.code !== code || seen.since !== since)
      return this.#remember(id, { code, since, provenMs: failing.provenMs, at: ranMs });
    const stepMs = ranMs - seen.at;
    const provenMs = seen.provenMs + (stepMs <= this.#longestStepMs ? stepMs : 0);
    const after = this.#remember(id, { code, since, provenMs, at: ranMs });
    return { ...after, provenMs: Math.max(provenMs, failing.provenMs) };
  }

  /** Forgets the slices that are not among these. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id);
  }

  #remember(id: string, seen: Seen): LastingFailure {
    this.#seen.set(id, seen);
    const { code, since, provenMs } = seen;
    return { code, since, provenMs };
  }
}
