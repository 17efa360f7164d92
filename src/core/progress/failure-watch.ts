import type { LastingFailure, StagedSlice } from './sink-progress.ts';

/** One failure of a slice. */
export interface SeenFailure {
  readonly code: string;
  /** On the wall, milliseconds since the epoch. */
  readonly now: number;
  /** How long this process has run by then; time in which it was stopped is none of it. */
  readonly ranMs: number;
}

interface Seen {
  readonly code: string;
  readonly since: number;
  /** As it stood in the document when this process saw the slice fail first, and what it has seen since. */
  readonly provenMs: number;
  readonly at: number;
}

/**
 * What one process remembers of slices that fail, to prove how long they have failed. What it ran between two failures that it saw itself
 * counts; a step that is longer than `longestStepMs` counts nothing, because nobody tried in between. What several
 * processes prove at the same time counts once: each speaks of what the document said when it began.
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
    // A wall that was set back to before the first failure says that its time was wrong.
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
