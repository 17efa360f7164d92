import type { Job, JobResult, JobRun, JobStatus } from './job.ts';
import { forgetSecrets } from './job-values.ts';
import { notBefore } from './not-before.ts';
import type { EndedJob, RunningJob } from './take-job.ts';

/** How a run ended. A job that never ran is `cancelled`, by `killJob` and nothing else. */
export interface JobEnding {
  readonly status: Exclude<JobStatus, 'processing' | 'cancelled'>;
  readonly at: string;
  readonly result: JobResult;
  /** Variables that were found to be secret. */
  readonly secretVariables?: ReadonlySet<string>;
}

/**
 * Ends the job for this run, no sooner than it began, whatever the clock says; undefined when the job has ended, or is another run's: then
 * nobody's document changes.
 */
export function endJob(job: Job, run: JobRun, ending: JobEnding): EndedJob | undefined {
  if (!isRunOf(job, run)) return undefined;
  const { isEnding: _, ...kept } = job;
  const { status, at, result, secretVariables = new Set() } = ending;
  const request = forgetSecrets(job.request, secretVariables);
  return { ...kept, request, phase: 'ended', status, endedAt: notBefore(job.run.startedAt, at), result };
}

/** Whether this run still has the job. */
export function isRunOf(job: Job, { attempt, owner }: JobRun): job is RunningJob {
  return job.phase === 'running' && job.run.attempt === attempt && job.run.owner === owner;
}

/**
 * Asks for the end of a job. One that never ran is cancelled at once; of one that runs the process that runs it is asked, which may
 * still find that its tables were loaded. Undefined when it has ended.
 */
export function killJob(job: Job, { at }: { readonly at: string }): Job | undefined {
  switch (job.phase) {
    case 'created':
    case 'waiting': {
      const result: JobResult = { message: 'The job was cancelled before it ran.', tables: [], variables: [] };
      const endedAt = notBefore(job.created.at, at);
      return { ...job, phase: 'ended', status: 'cancelled', endedAt, result };
    }
    case 'running':
      return { ...job, isEnding: true };
    case 'ended':
      return undefined;
    default:
      return job satisfies never;
  }
}
