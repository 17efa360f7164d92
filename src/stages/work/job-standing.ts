import type { Job } from '../../core/jobs/job.ts';
import type { JobsStanding } from '../../telemetry/observe-work.ts';

/** How the jobs of a process's share stand. `wait`: those that could begin; `runs`: since when each of the others runs, monotonic. */
export function standingOf(
  { wait, runs }: { readonly wait: readonly Job[]; readonly runs: readonly number[] },
  { now, monotonic }: { readonly now: number; readonly monotonic: number },
): JobsStanding {
  const waits = wait.map((job) => now - dueAt(job));
  return {
    running: runs.length,
    waiting: wait.length,
    oldestWaitMs: Math.max(0, ...waits),
    longestRunMs: Math.max(0, ...runs.map((began) => monotonic - began)),
  };
}

/** A job that was delayed waits from when it was due. */
function dueAt({ created, request }: Job): number {
  const asked = Date.parse(created.at);
  return request.notBefore === undefined ? asked : Math.max(asked, Date.parse(request.notBefore));
}
