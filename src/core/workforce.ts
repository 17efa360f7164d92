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

export function workforceOf(said: readonly Pick<WorkerSaid, 'at'>[], now: number): Workforce {
  const last = Math.max(-Infinity, ...said.map(({ at }) => Date.parse(at)));
  if (last > now - workerGoneMs) return 'present';
  return last > now - workerMissedMs ? 'missed' : 'none';
}

/** How many run jobs at present. */
export function workersPresent(said: readonly Pick<WorkerSaid, 'at'>[], now: number): number {
  return said.filter((one) => workforceOf([one], now) === 'present').length;
}

/** Who runs jobs where a process is: that process, others that say so in the catalog, or nobody for good. */
export type RunsJobs = 'here' | 'others' | 'nowhere';
