import type { Job } from '../../core/jobs/job.ts';

/** When a job was made, began and ended; milliseconds. */
export interface JobTimes {
  readonly createdMs: number;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  /** Whole ones, from its start until its end, or until now; 0 when it has not begun. */
  readonly durationSeconds: number;
}

export function jobTimes(job: Job, now: number): JobTimes {
  const run = job.phase === 'running' || job.phase === 'ended' ? job.run : undefined;
  const startMs = run === undefined ? undefined : Date.parse(run.startedAt);
  const endMs = job.phase === 'ended' ? Date.parse(job.endedAt) : undefined;
  const durationMs = startMs === undefined ? 0 : Math.max(0, (endMs ?? now) - startMs);
  return { createdMs: Date.parse(job.created.at), startMs, endMs, durationSeconds: Math.floor(durationMs / 1000) };
}
