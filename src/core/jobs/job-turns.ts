import type { Job } from './job.ts';
import { jobKey } from './job-key.ts';

export interface TurnsRequest {
  /** All jobs that this process is to run and that have not ended, in any order. */
  readonly jobs: readonly Job[];
  /** Those that it runs at this moment, in whatever phase their documents are. */
  readonly busy: readonly Job[];
  /** So many run side by side. */
  readonly atOnce: number;
  /** Milliseconds of the clock on the wall. */
  readonly now: number;
}

export interface Turns {
  /** To be taken now, in this order. A `running` one among them is one whose process died. */
  readonly start: readonly Job[];
  /** Due, and others come first. */
  readonly wait: readonly Job[];
  /** When the first of those that are delayed is due, milliseconds; undefined when none is. */
  readonly nextDueAt: number | undefined;
  /** Keys that wait, the one whose turn is next first; for the next call. */
  readonly queue: readonly string[];
}

/**
 * Which jobs are to begin. Of those with one key one runs at a time, in the order of their numbers: one that has run before goes
 * first. Keys take turns: one whose job has begun goes to the end of the queue, so that a configuration with many jobs lets the
 * others in, and each key that waits gets its turn. A job that is delayed holds nobody up.
 */
export function takeTurns(queue: readonly string[], { jobs, busy, atOnce, now }: TurnsRequest): Turns {
  const [due, delayed] = split(jobs, (job) => dueAt(job) <= now);
  const heads = headsOf(due);
  const busyIds = new Set(busy.map(({ jobId }) => jobId));
  const busyKeys = new Set(busy.map(jobKey));
  const known = new Set(queue.filter((key) => heads.has(key)));
  const met = [...heads].filter(([key]) => !known.has(key)).toSorted(([, one], [, other]) => inOrder(one, other));
  const order = [...known, ...met.map(([key]) => key)];
  const begun = new Set(order.filter((key) => !busyKeys.has(key)).slice(0, Math.max(0, atOnce - busy.length)));
  const start = order.flatMap((key) => (begun.has(key) ? (heads.get(key) ?? []) : []));
  const started = new Set(start);
  const times = delayed.map(dueAt);
  return {
    start,
    wait: due.filter((job) => !started.has(job) && !busyIds.has(job.jobId)),
    nextDueAt: times.length === 0 ? undefined : Math.min(...times),
    queue: order.filter((key) => !begun.has(key) && !busyKeys.has(key)),
  };
}

/** A job that has begun is due, whatever it was asked with. */
function dueAt({ phase, request }: Job): number {
  return phase === 'running' || request.notBefore === undefined ? -Infinity : Date.parse(request.notBefore);
}

/** The first job of each key. */
function headsOf(jobs: readonly Job[]): ReadonlyMap<string, Job> {
  const heads = new Map<string, Job>();
  for (const job of jobs) {
    if (job.phase === 'ended') continue;
    const key = jobKey(job);
    const head = heads.get(key);
    if (head === undefined || inOrder(job, head) < 0) heads.set(key, job);
  }
  return heads;
}

function inOrder(one: Job, other: Job): number {
  const begun = Number(other.phase === 'running') - Number(one.phase === 'running');
  return begun === 0 ? Number(one.jobId) - Number(other.jobId) : begun;
}

function split(jobs: readonly Job[], isFirst: (job: Job) => boolean): readonly [readonly Job[], readonly Job[]] {
  return [jobs.filter(isFirst), jobs.filter((job) => !isFirst(job))];
}
