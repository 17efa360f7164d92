import type { Job } from '../../core/jobs/job.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { JobWork, type JobWorkOptions } from './job-work.ts';
import { OwnLife } from './own-life.ts';

/** A job that this process runs. */
interface Running {
  readonly work: JobWork;
  readonly began: number;
  readonly done: Promise<void>;
}

export interface RunningJobsOptions extends Omit<JobWorkOptions, 'owner' | 'life'> {
  /** Others run jobs, too, and must see that this process lives. */
  readonly hasOthers: boolean;
}

/**
 * The jobs that this process runs. They outlive the service that starts them, which fails and is made anew when the catalog or the log of
 * shares is away, and their share, which moves when processes come and go: no job is broken off for that, nor begun again.
 */
export class RunningJobs {
  /** The life of this process. */
  readonly owner: string;
  readonly #options: RunningJobsOptions;
  readonly #life: OwnLife | undefined;
  readonly #signal: AbortSignal;
  readonly #works = new Map<string, Running>();
  /** When a job that could not be run at all is tried again. */
  readonly #pauses = new Map<string, { readonly failures: number; readonly until: number }>();

  /** The signal: nothing more is done, and nothing is handed over. */
  constructor(options: RunningJobsOptions, { signal }: Waiting) {
    this.#options = options;
    this.#signal = signal;
    this.owner = options.unique();
    this.#life = options.hasOthers ? new OwnLife({ ...options, owner: this.owner }) : undefined;
  }

  /** As they were when they were taken up. */
  get busy(): readonly Job[] {
    return Array.from(this.#works.values(), ({ work }) => work.job);
  }

  /** Since when each of them runs, monotonic. */
  get began(): readonly number[] {
    return Array.from(this.#works.values(), ({ began }) => began);
  }

  /** True while a job that could not be run at all is left alone. */
  pauses(jobId: string): boolean {
    return (this.#pauses.get(jobId)?.until ?? 0) > this.#options.clock.monotonic();
  }

  /** Of jobs that are gone nothing is kept. */
  forgetPauses(isThere: (jobId: string) => boolean): void {
    for (const jobId of this.#pauses.keys()) if (!isThere(jobId)) this.#pauses.delete(jobId);
  }

  /** Takes the job and brings it to its end. Resolves when its place is free again, behind `done`; never rejects. */
  start(job: Job, done: () => Promise<void>): Promise<void> {
    const { clock, retry, observer } = this.#options;
    const work = new JobWork({ ...this.#options, owner: this.owner, life: this.#life }, job);
    const signal = this.#signal;
    const run = async (): Promise<void> => {
      try {
        await work.do({ signal });
        this.#pauses.delete(job.jobId);
        await done();
      } catch (thrown) {
        if (signal.aborted) return;
        const failures = (this.#pauses.get(job.jobId)?.failures ?? 0) + 1;
        this.#pauses.set(job.jobId, { failures, until: clock.monotonic() + retry.pauseMs(failures) });
        observer.jobHeldUp(job, MillraceError.fromUnknown(thrown));
      } finally {
        this.#works.delete(job.jobId);
      }
    };
    // It has its place before it begins: what it does may end within this turn.
    const began = Promise.withResolvers<void>();
    const ended = began.promise.then(run);
    this.#works.set(job.jobId, { work, began: clock.monotonic(), done: ended });
    void this.#life?.sayWhile(() => this.#works.size > 0, { signal: this.#signal });
    began.resolve();
    return ended;
  }

  /** Looks what became of them; `now` is a job as it stands, undefined when it has ended or is gone. */
  look(now: (jobId: string) => Job | undefined): void {
    for (const { work } of this.#works.values()) work.see(now(work.job.jobId));
  }

  /** D10: what runs may end within some time, and what does not is handed over. */
  async leave(ms: number, { signal }: Waiting): Promise<void> {
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const works = [...this.#works.values()];
    const all = Promise.all(works.map(({ done }) => done));
    await Promise.race([all, this.#options.clock.sleep(ms, { signal: either }).catch(() => undefined)]);
    ended.abort();
    for (const { work } of works) work.breakOff('leaving');
    await all;
  }
}
