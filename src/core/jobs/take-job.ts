import { limits } from '../limits.ts';
import type { Job, JobRun } from './job.ts';
import { notBefore } from './not-before.ts';

export type RunningJob = Extract<Job, { phase: 'running' }>;
export type EndedJob = Extract<Job, { phase: 'ended' }>;

/** What becomes of a job that somebody wants to run. */
export type Taking =
  | { readonly kind: 'taken'; readonly job: RunningJob }
  /** Its process ended too often while it ran; whoever finds it so ends it, by `endJob` of the run that it has. */
  | { readonly kind: 'spent'; readonly job: RunningJob }
  | { readonly kind: 'ended'; readonly job: EndedJob };

/**
 * Begins a run of a job, or the next one of a job whose process died: by compare-and-set on the document that was read, so that one of
 * several runs it. Whoever took it before has lost it, and can neither end it nor go on. That somebody asked for its end stays. Whatever
 * the clock of who takes it says, it begins no sooner than it was made.
 */
export function takeJob(job: Job, { owner, at }: { readonly owner: string; readonly at: string }): Taking {
  switch (job.phase) {
    case 'created':
    case 'waiting':
      return {
        kind: 'taken',
        job: {
          ...job,
          phase: 'running',
          run: { attempt: 1, owner, startedAt: notBefore(job.created.at, at) },
          isEnding: false,
        },
      };
    case 'running': {
      const { attempt, startedAt } = job.run;
      if (attempt >= limits.jobAttempts) return { kind: 'spent', job };
      // The job began when its first run did.
      const run: JobRun = { ...job.run, attempt: attempt + 1, owner, startedAt };
      return { kind: 'taken', job: { ...job, run } };
    }
    case 'ended':
      return { kind: 'ended', job };
    default:
      return job satisfies never;
  }
}

/** A job that is not the first of its turn says so; any other stays as it is. */
export function waitJob(job: Job): Job {
  return job.phase === 'created' ? { ...job, phase: 'waiting' } : job;
}
