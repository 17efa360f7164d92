import { crc32 } from 'node:zlib';
import { isRunOf } from '../../core/jobs/end-job.ts';
import { jobKey } from '../../core/jobs/job-key.ts';
import { takeTurns } from '../../core/jobs/job-turns.ts';
import type { Job } from '../../core/jobs/job.ts';
import { waitJob } from '../../core/jobs/take-job.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Service } from '../../core/service.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Held, Replica } from '../replica/replica.ts';
import { WorkShare } from '../shares/work-share.ts';
import { standingOf } from './job-standing.ts';
import { JobWork, type JobWorkOptions } from './job-work.ts';

export interface WorkServiceOptions extends Omit<JobWorkOptions, 'owner'> {
  /** Those that have not ended. */
  readonly jobs: Replica<Job>;
  /** Log by which the jobs are shared out. */
  readonly workLog: EventLog;
  readonly member: string;
  /** How many jobs run at once. */
  readonly atOnce: number;
  /**
   * How long a job of another process stands still before it counts as one whose process has ended: a share that moves leaves it so much
   * time to hand its jobs over. 0 where no other process can be.
   */
  readonly takeOverMs: number;
  /** How long a drain waits for what runs. What has not ended by then is handed over. */
  readonly drainMs: number;
}

const roundMs = 1000;
/** Without a share for so long, a job is handed over: shares that are only being dealt anew come back sooner. */
const lostShareMs = 3000;

/** A job that this process runs. */
interface Running {
  readonly work: JobWork;
  readonly began: number;
  readonly done: Promise<void>;
  /** Since when its key is in another process's share. */
  lostAt: number | undefined;
}

/** Runs the jobs that the group assigns to this process. */
export class WorkService implements Service {
  readonly id = 'work';
  readonly #options: WorkServiceOptions;
  readonly #owner: string;
  readonly #works = new Map<string, Running>();
  /** Since when a job of another life was seen as it is, by revision. */
  readonly #strangers = new Map<string, { readonly revision: number; readonly since: number }>();
  /** When a job that could not be run at all is tried again. */
  readonly #pauses = new Map<string, { readonly failures: number; readonly until: number }>();
  readonly #leaving = new AbortController();
  #queue: readonly string[] = [];
  #share: WorkShare | undefined;
  #rounds = 0;

  constructor(options: WorkServiceOptions) {
    this.#options = options;
    this.#owner = options.unique();
  }

  get rounds(): number {
    return this.#rounds;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { jobs, workLog, member } = this.#options;
    const ending = new AbortController();
    const either = AbortSignal.any([signal, ending.signal]);
    await jobs.refresh(0, { signal });
    const share = await WorkShare.join({ log: workLog, group: 'work', member }, { signal });
    this.#share = share;
    const stopListening = jobs.listen(() => this.#look());
    const following = jobs.follow({ signal: either });
    const failed = following.catch((thrown: unknown) => {
      if (!either.aborted) ending.abort(thrown);
    });
    try {
      while (!signal.aborted && !this.#leaving.signal.aborted) {
        const ms = this.#startDue(either);
        this.#rounds += 1;
        await share.rest(ms, { signal: either });
      }
      await this.#leave(either);
    } finally {
      stopListening();
      ending.abort();
      await Promise.all([failed, ...Array.from(this.#works.values(), ({ done }) => done)]);
      await share[Symbol.asyncDispose]();
    }
  }

  /** Starts what is due, as far as there is room; answers how long to rest. */
  #startDue(signal: AbortSignal): number {
    const { jobs, clock, atOnce, observer } = this.#options;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const held = [...jobs.values()].filter(({ value }) => this.#isMine(value));
    const running = [...this.#works.values()];
    const busy = running.map(({ work }) => work.job);
    const turns = takeTurns(this.#queue, { jobs: held.map(({ value }) => value), busy, atOnce, now });
    this.#queue = turns.queue;
    const byId = new Map(held.map((one) => [one.value.jobId, one]));
    for (const job of turns.start) {
      const one = byId.get(job.jobId);
      if (one !== undefined && this.#mayStart(one, monotonic)) this.#start(job, signal);
    }
    for (const job of turns.wait) if (job.phase === 'created') this.#noteWaiting(job, signal);
    for (const id of this.#strangers.keys()) if (!byId.has(id)) this.#strangers.delete(id);
    for (const id of this.#pauses.keys()) if (!byId.has(id)) this.#pauses.delete(id);
    this.#handOverLost(monotonic);
    const runs = running.map(({ began }) => began);
    observer.standing(standingOf({ wait: turns.wait, runs }, { now, monotonic }));
    return Math.min(roundMs, Math.max(1, (turns.nextDueAt ?? Number.POSITIVE_INFINITY) - now));
  }

  /** Not yet while another process may hand it over, or while it pauses. */
  #mayStart({ value: job, revision }: Held<Job>, monotonic: number): boolean {
    if ((this.#pauses.get(job.jobId)?.until ?? 0) > monotonic) return false;
    if (job.phase !== 'running' || job.run.owner === this.#owner) return true;
    const seen = this.#strangers.get(job.jobId);
    if (seen?.revision !== revision) this.#strangers.set(job.jobId, { revision, since: monotonic });
    const since = seen?.revision === revision ? seen.since : monotonic;
    return monotonic - since >= this.#options.takeOverMs;
  }

  #start(job: Job, signal: AbortSignal): void {
    const { clock, retry, observer, jobs } = this.#options;
    const work = new JobWork({ ...this.#options, owner: this.#owner }, job);
    const run = async (): Promise<void> => {
      try {
        await work.do({ signal });
        this.#pauses.delete(job.jobId);
        // The copy must not show as running what has just ended.
        await jobs.refresh(0, { signal });
      } catch (thrown) {
        if (signal.aborted) return;
        const failures = (this.#pauses.get(job.jobId)?.failures ?? 0) + 1;
        this.#pauses.set(job.jobId, { failures, until: clock.monotonic() + retry.pauseMs(failures) });
        observer.jobHeldUp(job, MillraceError.fromUnknown(thrown));
      } finally {
        this.#works.delete(job.jobId);
        this.#share?.wake();
      }
    };
    // It has its place before it begins: what it does may end within this turn.
    const began = Promise.withResolvers<void>();
    const done = began.promise.then(run);
    this.#works.set(job.jobId, { work, began: clock.monotonic(), done, lostAt: undefined });
    began.resolve();
  }

  /** So that whoever asked sees that others come first. Tried once: it is no more than a word. */
  #noteWaiting(job: Job, signal: AbortSignal): void {
    const change = (before: Job | undefined): Job | undefined =>
      before?.phase === 'created' ? waitJob(before) : undefined;
    const place = { kind: jobDocuments, id: jobDocumentId(job.jobId), change };
    changeDocument<Job>(this.#options.catalog, place, { signal }).catch(() => undefined);
  }

  /** Looks what became of the jobs that run here, as soon as the copy tells. */
  #look(): void {
    for (const { work } of this.#works.values()) {
      const now = this.#options.jobs.get(jobDocumentId(work.job.jobId))?.value;
      if (work.run === undefined || now === undefined) continue;
      if (now.phase === 'running' && now.run.attempt > work.run.attempt) work.breakOff('lost');
      else if (isRunOf(now, work.run) && now.isEnding) work.breakOff('killed');
    }
    this.#share?.wake();
  }

  #handOverLost(monotonic: number): void {
    for (const running of this.#works.values()) {
      if (this.#isMine(running.work.job)) running.lostAt = undefined;
      else {
        running.lostAt ??= monotonic;
        if (monotonic - running.lostAt >= lostShareMs) running.work.breakOff('leaving');
      }
    }
  }

  /** D10: what runs may end within some time, and what does not is handed over. */
  async #leave(signal: AbortSignal): Promise<void> {
    const { clock, drainMs } = this.#options;
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const works = [...this.#works.values()];
    const all = Promise.all(works.map(({ done }) => done));
    await Promise.race([all, clock.sleep(drainMs, { signal: either }).catch(() => undefined)]);
    ended.abort();
    for (const { work } of works) work.breakOff('leaving');
    await all;
  }

  #isMine(job: Job): boolean {
    return this.#share?.has(crc32(jobKey(job))) ?? false;
  }

  async drain(): Promise<void> {
    this.#leaving.abort();
    this.#share?.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
    await Promise.all(Array.from(this.#works.values(), ({ done }) => done));
  }
}
