import { jobKey } from '../core/jobs/job-key.ts';
import type { Job, JobStatus } from '../core/jobs/job.ts';
import type { MillraceError } from '../core/millrace-error.ts';
import type { Telemetry } from './telemetry.ts';

/** How many jobs of this process's share stand where, and how old they are. */
export interface JobsStanding {
  readonly running: number;
  readonly waiting: number;
  /** Of those that are due and have not begun. */
  readonly oldestWaitMs: number;
  /** Of those that this process runs. */
  readonly longestRunMs: number;
}

export interface EndedWork {
  readonly status: Exclude<JobStatus, 'processing'>;
  readonly durationMs: number;
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
}

/** What the role that runs jobs tells about its work; every method is quick and never throws. */
export interface WorkObserver {
  jobStarted(job: Job, event: { readonly attempt: number }): void;
  jobEnded(job: Job, ended: EndedWork): void;
  /** Something of this product or of its machine made a job end in an error; its owner sees the id and no more. */
  jobBroken(job: Job, event: { readonly exceptionId: string; readonly cause: unknown }): void;
  /** Its process leaves; another run begins it anew. */
  jobHandedOver(job: Job): void;
  /** What a job needs does not answer; it is tried again. */
  jobHeldUp(job: Job, error: MillraceError): void;
  /** Local files of a job could not be removed; they go when the process starts anew. */
  filesLeft(job: Job, cause: unknown): void;
  standing(jobs: JobsStanding): void;
}

/** Logs and counts what becomes of jobs. */
export function observeWork({ log, metrics }: Telemetry): WorkObserver {
  return {
    jobStarted: (job, { attempt }) => {
      const event = { ...named(job), attempt };
      if (attempt === 1) log.info(event, 'job started');
      else log.warn(event, 'job taken over');
    },
    jobEnded: (job, { status, durationMs, ...sums }) => {
      const seconds = durationMs / 1000;
      metrics.counter('millrace_jobs_total').inc({ component: job.request.componentId, status });
      metrics.counter('millrace_job_rows_total').inc({}, sums.rows);
      metrics.counter('millrace_job_bytes_total').inc({}, sums.bytes);
      metrics.histogram('millrace_job_duration_seconds').observe(seconds);
      log.info({ ...named(job), status, seconds, ...sums }, 'job ended');
    },
    jobBroken: (job, { exceptionId, cause }) => log.error({ ...named(job), exceptionId, err: cause }, 'job broken'),
    jobHandedOver: (job) => log.info(named(job), 'job handed over'),
    jobHeldUp: (job, { code, message }) => log.warn({ ...named(job), code, reason: message }, 'job held up'),
    filesLeft: (job, cause) => log.error({ ...named(job), err: cause }, 'files of a job left'),
    standing: ({ running, waiting, oldestWaitMs, longestRunMs }) => {
      metrics.gauge('millrace_running_jobs').set({}, running);
      metrics.gauge('millrace_waiting_jobs').set({}, waiting);
      metrics.gauge('millrace_job_oldest_wait_seconds').set({}, oldestWaitMs / 1000);
      metrics.gauge('millrace_job_longest_run_seconds').set({}, longestRunMs / 1000);
    },
  };
}

function named(job: Job): Readonly<Record<string, unknown>> {
  return { job: job.jobId, key: jobKey(job) };
}
