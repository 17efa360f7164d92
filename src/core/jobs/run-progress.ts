import type { Job, JobRun } from './job.ts';

/** What the pages of a job have held so far, in all of its runs of the extractor. */
export interface FoundSoFar {
  readonly pages: number;
  readonly rows: number;
  /** Of the bodies of answers. */
  readonly bytes: number;
}

/** How far the run of a job is, collection `job-progress` under its number. It lags behind the run by some seconds. */
export interface RunProgress extends FoundSoFar, Pick<JobRun, 'attempt' | 'owner'> {
  /** ISO time at which it was so. */
  readonly at: string;
}

/** Whether it is of the run that the job has, or had last. */
export function isProgressOf(job: Job, { attempt, owner }: RunProgress): boolean {
  const run = job.phase === 'running' || job.phase === 'ended' ? job.run : undefined;
  return run?.attempt === attempt && run.owner === owner;
}
