/** That a process runs jobs, as it says in the catalog. Document `worker/<process>` of the collection `meta`. */
export interface WorkerSaid {
  /** Name of the process, for people. */
  readonly process: string;
  /** ISO time: when it said so last. */
  readonly at: string;
}

/** Who runs jobs. `missed`: nobody at present, and somebody a while ago; `none`: nobody, for long or ever. */
export type Workforce = 'present' | 'missed' | 'none';

/** How often a process says that it runs jobs. */
export const workerSaidEveryMs = 15_000;
/** Who has not said it for so long does not run any, whatever kept it. */
export const workerGoneMs = 4 * workerSaidEveryMs;
/** So long it is expected back: a process that is replaced, or a cluster that is updated, is no reason to refuse jobs. */
export const workerMissedMs = 3_600_000;

/** By how long ago each of them said it, milliseconds. */
export function workforceOf(ages: readonly number[]): Workforce {
  const least = Math.min(Infinity, ...ages);
  if (least < workerGoneMs) return 'present';
  return least < workerMissedMs ? 'missed' : 'none';
}

/** How many run jobs at present. */
export function workersPresent(ages: readonly number[]): number {
  return ages.filter((age) => workforceOf([age]) === 'present').length;
}

/** How long ago it was said, as the clock of who said it has it: negative when that is ahead. */
export function saidAgo({ at }: Pick<WorkerSaid, 'at'>, now: number): number {
  return now - Date.parse(at);
}

interface Seen {
  readonly at: string;
  /** When it was seen first, monotonic. */
  readonly since: number;
  /** It had said something else before. */
  readonly isLater: boolean;
}

/**
 * What a process saw others say, look by look. A clock that is off makes nobody seem gone, and nobody stay: that somebody says something
 * else than at the look before counts as said now, whatever time it bears.
 */
export class SeenWorkers {
  readonly #seen = new Map<string, Seen>();

  /** Takes what was said as it is now; answers how long ago each was, milliseconds. To be called often. */
  look(
    said: readonly WorkerSaid[],
    { now, monotonic }: { readonly now: number; readonly monotonic: number },
  ): readonly number[] {
    return said.map((one) => {
      const { since, isLater } = this.#note(one, monotonic);
      const ago = saidAgo(one, now);
      if (ago < -workerGoneMs) return monotonic - since;
      return isLater ? Math.min(ago, monotonic - since) : ago;
    });
  }

  #note({ process, at }: WorkerSaid, monotonic: number): Seen {
    const before = this.#seen.get(process);
    if (before?.at === at) return before;
    const seen = { at, since: monotonic, isLater: before !== undefined };
    this.#seen.set(process, seen);
    return seen;
  }
}

/** Who runs jobs where a process is: that process, others that say so in the catalog, or nobody for good. */
export type RunsJobs = 'here' | 'others' | 'nowhere';
