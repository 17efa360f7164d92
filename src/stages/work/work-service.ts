import { crc32 } from 'node:zlib';
import { jobKey } from '../../core/jobs/job-key.ts';
import { takeTurns } from '../../core/jobs/job-turns.ts';
import type { Job } from '../../core/jobs/job.ts';
import { waitJob } from '../../core/jobs/take-job.ts';
import type { Service } from '../../core/service.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Replica } from '../replica/replica.ts';
import { WorkShare } from '../shares/work-share.ts';
import { standingOf } from './job-standing.ts';
import type { JobWorkOptions } from './job-work.ts';
import { OtherLives } from './other-lives.ts';
import type { RunningJobs } from './running-jobs.ts';
import type { ScheduleKeeper } from './schedule-keeper.ts';
import type { WorkerPresence } from './worker-presence.ts';

export interface WorkServiceOptions extends Pick<JobWorkOptions, 'catalog' | 'clock' | 'observer'> {
  /** Of the process: they go on while a service fails and another takes its place. */
  readonly running: RunningJobs;
  /** Those that have not ended. */
  readonly jobs: Replica<Job>;
  readonly keeper: ScheduleKeeper;
  /** Log by which the jobs are shared out. */
  readonly workLog: EventLog;
  readonly member: string;
  /** How many jobs run at once. */
  readonly atOnce: number;
  /** How long a process says nothing before it counts as one that has ended, and its jobs are taken over. 0 where no other can be. */
  readonly takeOverMs: number;
  /** How long a drain waits for what runs. What has not ended by then is handed over. */
  readonly drainMs: number;
  /** Told with every round that jobs are run here; absent where nobody else has to know. */
  readonly presence?: WorkerPresence | undefined;
}

const roundMs = 1000;

/** Runs the jobs that the group assigns to this process, and asks for those that schedules plan. */
export class WorkService implements Service {
  readonly id = 'work';
  readonly #options: WorkServiceOptions;
  /** Those that run jobs of this share: a share that moves leaves a job where it runs. */
  readonly #others: OtherLives;
  readonly #leaving = new AbortController();
  #queue: readonly string[] = [];
  #share: WorkShare | undefined;
  #rounds = 0;

  constructor(options: WorkServiceOptions) {
    this.#options = options;
    this.#others = new OtherLives({ ...options, goneMs: options.takeOverMs });
  }

  get rounds(): number {
    return this.#rounds;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { jobs, keeper, workLog, member, running, drainMs, presence } = this.#options;
    const { schedules } = keeper;
    const ending = new AbortController();
    const either = AbortSignal.any([signal, ending.signal]);
    await Promise.all([jobs.refresh(0, { signal }), schedules.refresh(0, { signal })]);
    const share = await WorkShare.join({ log: workLog, group: 'work', member }, { signal });
    this.#share = share;
    const wake = (): void => share.wake();
    const listening = [jobs.listen(() => this.#look()), schedules.listen(wake)];
    const follow = (replica: Pick<typeof jobs, 'follow'>): Promise<void> =>
      replica.follow({ signal: either }).catch((thrown: unknown) => {
        if (!either.aborted) ending.abort(thrown);
      });
    const failed = Promise.all([follow(jobs), follow(schedules)]);
    const has = (number: number): boolean => share.has(number);
    try {
      while (!signal.aborted && !this.#leaving.signal.aborted) {
        const ms = Math.min(this.#startDue(share, either), keeper.look({ has, wake }, { signal: either }));
        presence?.here({ signal: either });
        this.#rounds += 1;
        await share.rest(ms, { signal: either });
      }
      await keeper.settled();
      await running.leave(drainMs, { signal: either });
    } finally {
      for (const stop of listening) stop();
      ending.abort();
      await failed;
      await keeper.settled();
      await presence?.settled();
      await this.#others.settled();
      this.#share = undefined;
      await share[Symbol.asyncDispose]();
    }
  }

  /** Starts what is due, as far as there is room; answers how long to rest. */
  #startDue(share: WorkShare, signal: AbortSignal): number {
    const { jobs, clock, atOnce, observer, running } = this.#options;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const isMine = (job: Job): boolean => share.has(crc32(jobKey(job)));
    const held = Array.from(jobs.values(), ({ value }) => value).filter(isMine);
    const runs = running.began;
    const turns = takeTurns(this.#queue, { jobs: held, busy: running.busy, atOnce, now });
    this.#queue = turns.queue;
    this.#others.look(new Set(held.flatMap((job) => this.#ownerOf(job) ?? [])), { signal });
    for (const job of turns.start) if (this.#mayStart(job)) this.#start(job, signal);
    for (const job of turns.wait) if (job.phase === 'created') this.#noteWaiting(job, signal);
    const ids = new Set(held.map(({ jobId }) => jobId));
    running.forgetPauses((jobId) => ids.has(jobId));
    observer.standing(standingOf({ wait: turns.wait, runs }, { now, monotonic }));
    return Math.min(roundMs, Math.max(1, (turns.nextDueAt ?? Number.POSITIVE_INFINITY) - now));
  }

  /** Not while it pauses, nor while another process runs it that may live. */
  #mayStart(job: Job): boolean {
    if (this.#options.running.pauses(job.jobId)) return false;
    const owner = this.#ownerOf(job);
    return owner === undefined || this.#others.hasEnded(owner);
  }

  /** The other life that runs the job; undefined: none does. */
  #ownerOf(job: Job): string | undefined {
    const isOther = job.phase === 'running' && job.run.owner !== this.#options.running.owner;
    return isOther ? job.run.owner : undefined;
  }

  #start(job: Job, signal: AbortSignal): void {
    const { running, jobs } = this.#options;
    // The copy must not show as running what has just ended; one that is not followed any more shows nothing.
    const done = async (): Promise<void> => {
      await jobs.refresh(0, { signal }).catch((thrown: unknown) => {
        if (!signal.aborted) throw thrown;
      });
    };
    void running.start(job, done).then(() => this.#share?.wake());
  }

  /** So that whoever asked sees that others come first. Tried once: it is no more than a word. */
  #noteWaiting(job: Job, signal: AbortSignal): void {
    const change = (before: Job | undefined): Job | undefined =>
      before?.phase === 'created' ? waitJob(before) : undefined;
    const place = { kind: jobDocuments, id: jobDocumentId(job.jobId), change };
    changeDocument<Job>(this.#options.catalog, place, { signal }).catch(() => undefined);
  }

  /** As soon as the copy tells. */
  #look(): void {
    const { running, jobs } = this.#options;
    running.look((jobId) => jobs.get(jobDocumentId(jobId))?.value);
    this.#share?.wake();
  }

  async drain(): Promise<void> {
    this.#leaving.abort();
    this.#share?.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
  }
}
