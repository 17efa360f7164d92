import { dueSince } from '../../core/jobs/due-since.ts';
import type { Job } from '../../core/jobs/job.ts';
import type { JobsStanding } from '../../telemetry/observe-work.ts';

/** How the jobs of a process's share stand. `wait`: those that could begin; `runs`: since when each of the others runs, monotonic. */
export function standingOf(
  { wait, runs }: { readonly wait: readonly Job[]; readonly runs: readonly number[] },
  { now, monotonic }: { readonly now: number; readonly monotonic: number },
): JobsStanding {
  const waits = wait.map((job) => now - dueSince(job));
  return {
    running: runs.length,
    waiting: wait.length,
    oldestWaitMs: Math.max(0, ...waits),
    longestRunMs: Math.max(0, ...runs.map((began) => monotonic - began)),
  };
}
