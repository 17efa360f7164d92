import { join } from 'node:path';
import { endJob, isRunOf, type JobEnding } from '../../core/jobs/end-job.ts';
import { handOverJob } from '../../core/jobs/hand-over-job.ts';
import { jobLoad } from '../../core/jobs/job-load.ts';
import type { Job, JobResult, JobRun } from '../../core/jobs/job.ts';
import type { LoadNote } from '../../core/jobs/load-note.ts';
import type { FoundSoFar } from '../../core/jobs/run-progress.ts';
import { takeJob, type RunningJob, type Taking } from '../../core/jobs/take-job.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { RetryPacing } from '../../core/retry-pacing.ts';
import { shortened } from '../../core/shortened.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { JobLog } from '../../documents/job-log.ts';
import { readDocument } from '../../documents/read-document.ts';
import { readLoadNote } from '../../documents/load-note.ts';
import type { EventIds } from '../../events/event-id.ts';
import type { OpenHttpClient } from '../../ports/http-client.ts';
import type { LoadRow, TableLoads } from '../../ports/table-loads.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { WorkObserver } from '../../telemetry/observe-work.ts';
import { HiddenValues } from '../../secrets/hidden-values.ts';
import type { JobDisk } from './job-disk.ts';
import { JobFault } from './job-fault.ts';
import { makeFolder, removeFolder } from './job-folder.ts';
import { keepState } from './keep-state.ts';
import type { OwnLife } from './own-life.ts';
import { Patience } from './patience.ts';
import { PatientLoad } from './patient-load.ts';
import { ProgressWriter } from './progress-writer.ts';
import { RunLog } from './run-log.ts';
import { runJob, type FoundByJob, type RunJobOptions } from './run-job.ts';
import { TimedSignal } from './timed-signal.ts';
import { whyEnded } from './why-ended.ts';

export interface JobWorkOptions extends RunJobOptions {
  readonly loads: TableLoads;
  readonly observer: WorkObserver;
  /** Ids of events: one maker for all jobs of the process. */
  readonly eventIds: EventIds;
  readonly unique: () => string;
  readonly retry: RetryPacing;
  /** Folder of the local files of jobs. */
  readonly folder: string;
  readonly disk: JobDisk;
  /** How long one run of a job may take. */
  readonly timeoutMs: number;
  /** How far a job is, is written down at most once in so many milliseconds. */
  readonly progressEveryMs: number;
  /** The life of this process. */
  readonly owner: string;
  /** Absent where no other process can take a job over. */
  readonly life?: OwnLife | undefined;
}

/** Why a run is broken off. `killed`: somebody asked for its end; `lost`: another run has the job; `leaving`: it is handed over. */
export type BreakOff = 'killed' | 'lost' | 'leaving';

const logMs = 5000;
const progressMs = 1000;

/** One job in this process, from the write that takes it to the write that ends it. */
export class JobWork {
  /** As it was when it was taken up. */
  readonly job: Job;
  readonly #options: JobWorkOptions;
  readonly #patience: Patience;
  readonly #breaking = new AbortController();
  #brokenOff: BreakOff | undefined;
  /** The era of this life in which the job was last found to be its own. */
  #oursIn: number | undefined;
  #isLoading = false;
  /** As it was to be written when it was taken. */
  #tried: RunningJob | undefined;
  #run: JobRun | undefined;
  #seen: { readonly now: Job | undefined } | undefined;

  constructor(options: JobWorkOptions, job: Job) {
    this.#options = options;
    this.job = job;
    const { clock, retry, observer } = options;
    this.#patience = new Patience({ clock, retry, onFailure: (error) => observer.jobHeldUp(job, error) });
  }

  /** Breaks the run off when the job, as it stands, is not this run's any more, or is to end. Undefined: it has ended or is gone. */
  see(now: Job | undefined): void {
    this.#seen = { now };
    this.#heed();
  }

  /** What was seen while the answer to the write that takes the job was under way counts, too. */
  #heed(): void {
    if (this.#run === undefined || this.#seen === undefined) return;
    const { now } = this.#seen;
    if (now === undefined || (now.phase === 'running' && now.run.attempt > this.#run.attempt)) this.breakOff('lost');
    else if (isRunOf(now, this.#run) && now.isEnding) this.breakOff('killed');
  }

  /** Ends the run soon. What is being loaded is not handed over. */
  breakOff(why: BreakOff): void {
    if (this.#brokenOff !== undefined || (why === 'leaving' && this.#isLoading)) return;
    this.#brokenOff = why;
    this.#breaking.abort(new DOMException(`The job is ${why}.`, 'AbortError'));
  }

  /** Resolves when this process is done with the job, however it ended; rejects with the signal's reason, and for what is no job. */
  async do(waiting: Waiting): Promise<void> {
    const taking = await this.#patience.for(() => this.#take(waiting), waiting);
    if (taking === undefined || taking.kind === 'ended') return;
    const { job } = taking;
    this.#run = job.run;
    this.#heed();
    const hidden = new HiddenValues();
    const log = await this.#openLog(job, hidden, waiting);
    try {
      await this.#bring(taking, { log, hidden }, waiting);
    } finally {
      await log.close(logMs, waiting);
    }
  }

  /** Undefined when somebody else was faster. */
  async #take(waiting: Waiting): Promise<Taking | undefined> {
    const { catalog, clock, owner } = this.#options;
    let taking: Taking | undefined;
    const change = (before: Job | undefined): Job | undefined => {
      taking = undefined;
      if (before === undefined) return undefined;
      if (this.#tried !== undefined && isRunOf(before, this.#tried.run)) {
        // The answer was lost, and the catalog away when it was asked again.
        taking = { kind: 'taken', job: before };
        return undefined;
      }
      if (isOthers(before, this.job)) return undefined;
      taking = takeJob(before, { owner, at: timeOf(clock.now()) });
      if (taking.kind !== 'taken') return undefined;
      this.#tried = taking.job;
      return taking.job;
    };
    await changeDocument(catalog, { kind: jobDocuments, id: jobDocumentId(this.job.jobId), change }, waiting);
    return taking;
  }

  async #openLog(job: Job, hidden: HiddenValues, waiting: Waiting): Promise<RunLog> {
    const { catalog, clock, eventIds: eventId } = this.#options;
    const open = () => JobLog.open({ catalog, clock, eventId }, job, waiting);
    return new RunLog({ log: await this.#patience.for(open, waiting), clock, hidden });
  }

  /** Brings a job that was taken to its end, or hands it over. */
  async #bring(
    { kind, job }: Exclude<Taking, { kind: 'ended' }>,
    speaking: { readonly log: RunLog; readonly hidden: HiddenValues },
    waiting: Waiting,
  ): Promise<void> {
    const { loads, observer, clock } = this.#options;
    const { log, hidden } = speaking;
    const { attempt } = job.run;
    const began = clock.monotonic();
    if (kind === 'taken') observer.jobStarted(job, { attempt });
    log.info(beginningOf(kind, job));
    const { scheduledFor } = job.request;
    if (scheduledFor !== undefined) log.info(`The schedule of its configuration planned it for ${scheduledFor}.`);
    if (job.isEnding) this.breakOff('killed');
    const row = await this.#patience.for(() => loads.readLoad(jobLoad(job.jobId), waiting), waiting);
    if (row?.verdict === 'loaded') return await this.#succeed(job, { note: row.note, log, began }, waiting);
    if (kind === 'spent') {
      const why = `The job was given up: its process ended ${attempt} times while it ran.`;
      return await this.#fail(job, { thrown: new JobFault('application', why), ...speaking, began }, waiting);
    }
    let thrown: unknown;
    try {
      const note = await this.#loaded(job, { ...speaking, row }, waiting);
      return await this.#succeed(job, { note, log, began }, waiting);
    } catch (caught) {
      waiting.signal.throwIfAborted();
      thrown = caught;
    }
    // What happened when the run was broken off is no news.
    if (this.#brokenOff === 'lost') return;
    if (this.#brokenOff === 'leaving') return await this.#handOver(job, waiting);
    if (!(await this.#isStillOurs(job, waiting))) return;
    await this.#fail(job, { thrown, log, hidden, began }, waiting);
  }

  /** Runs the job and loads what it found; answers the note of its load. */
  async #loaded(
    job: RunningJob,
    { row, ...speaking }: { readonly log: RunLog; readonly hidden: HiddenValues; readonly row: LoadRow | undefined },
    waiting: Waiting,
  ): Promise<string> {
    const { catalog, clock, disk, folder, timeoutMs, progressEveryMs: everyMs } = this.#options;
    const { jobId, run } = job;
    const signal = AbortSignal.any([waiting.signal, this.#breaking.signal]);
    signal.throwIfAborted();
    if (row?.verdict !== 'open' && job.request.mode !== 'debug') throw unloadable(job, row);
    using share = disk.share();
    const path = join(folder, `${jobId}-${run.attempt}`);
    const progress = new ProgressWriter({ catalog, clock, jobId, run, everyMs });
    const timed = new TimedSignal(clock, timeoutMs, signal);
    try {
      const onProgress = (soFar: FoundSoFar): void => progress.tell(soFar);
      const place = { ...speaking, folder: await makeFolder(path), disk: share, patience: this.#patience, onProgress };
      const held = { ...this.#options, openHttp: this.#heldHttp(job) };
      const found = await runJob(job, held, { place, signal: timed.signal });
      return await this.#load(job, { ...found, log: speaking.log }, { signal: timed.signal });
    } finally {
      timed.end();
      await Promise.all([this.#removeFiles(job, path), progress.close(progressMs, waiting)]);
    }
  }

  /** Tries again while the tables are away, until the time of the run is over. */
  async #load(
    job: RunningJob,
    { load, log }: FoundByJob & { readonly log: RunLog },
    waiting: Waiting,
  ): Promise<string> {
    const { loads } = this.#options;
    if (job.request.mode === 'debug') return load.note;
    waiting.signal.throwIfAborted();
    this.#isLoading = true;
    const loading = new PatientLoad(loads, { load: jobLoad(job.jobId), request: load, log });
    const attempt = async (): Promise<LoadRow> => {
      await this.#requireOurs(job, waiting);
      return await loading.attempt(waiting);
    };
    const row = await this.#patience.for(attempt, waiting);
    if (row.verdict !== 'loaded') throw unloadable(job, row);
    return row.note;
  }

  /** The next start of the process removes what could not be removed now. */
  async #removeFiles(job: RunningJob, path: string): Promise<void> {
    await removeFolder(path).catch((thrown: unknown) => this.#options.observer.filesLeft(job, thrown));
  }

  async #succeed(
    job: RunningJob,
    { note, log, began }: { readonly note: string; readonly log: RunLog; readonly began: number },
    waiting: Waiting,
  ): Promise<void> {
    const { catalog, clock } = this.#options;
    const { result, states }: LoadNote = readLoadNote(note);
    const keep = () => keepState(catalog, { job, run: job.run, states }, waiting);
    await this.#patience.for(keep, waiting).catch((thrown: unknown) => {
      waiting.signal.throwIfAborted();
      log.warning(`The state for the next run could not be kept: ${MillraceError.fromUnknown(thrown).message}`);
    });
    log.add('success', `Job "${job.jobId}" execution finished.`);
    await this.#end(job, { status: 'success', at: timeOf(clock.now()), result, log, began }, waiting);
  }

  async #fail(
    job: RunningJob,
    failing: { readonly thrown: unknown; readonly log: RunLog; readonly hidden: HiddenValues; readonly began: number },
    waiting: Waiting,
  ): Promise<void> {
    const { loads, clock, observer, unique } = this.#options;
    const { log, hidden, began, thrown } = failing;
    // From here on nobody loads it any more; it may be that somebody has.
    const row = await this.#patience.for(() => loads.abandonLoad(jobLoad(job.jobId), waiting), waiting);
    if (row.verdict === 'loaded') return await this.#succeed(job, { note: row.note, log, began }, waiting);
    const at = timeOf(clock.now());
    if (this.#brokenOff === 'killed') {
      const result: JobResult = { message: 'The job was terminated.', tables: [], variables: [] };
      log.warning(result.message);
      return await this.#end(job, { status: 'terminated', at, result, log, began }, waiting);
    }
    const exceptionId = `job-${job.jobId}-${unique()}`;
    const { message, type, cause } = whyEnded(thrown, exceptionId);
    if (cause !== undefined) observer.jobBroken(job, { exceptionId, cause });
    log.add('error', message);
    const shown = shortened(hidden.hide(message), limits.descriptionLength);
    const result: JobResult = { message: shown, tables: [], variables: [], error: { type, exceptionId } };
    await this.#end(job, { status: 'error', at, result, log, began }, waiting);
  }

  /** Nobody who sees that the job has ended misses a line of its log. */
  async #end(
    job: RunningJob,
    { log, began, ...ending }: JobEnding & { readonly log: RunLog; readonly began: number },
    waiting: Waiting,
  ): Promise<void> {
    const { observer, clock } = this.#options;
    await log.close(logMs, waiting);
    const { secretVariables } = log;
    const ended = await this.#change((before) => endJob(before, job.run, { ...ending, secretVariables }), waiting);
    if (!ended) return;
    const { tables } = ending.result;
    observer.jobEnded(job, {
      status: ending.status,
      durationMs: clock.monotonic() - began,
      tables: tables.length,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  }

  /** Asks for nothing while the job may be another's. */
  #heldHttp(job: RunningJob): OpenHttpClient {
    const { openHttp, life } = this.#options;
    if (life === undefined) return openHttp;
    return (settings) => {
      const client = openHttp(settings);
      return {
        send: async (request, waiting) => {
          await this.#requireOurs(job, waiting);
          return await client.send(request, waiting);
        },
        [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
      };
    };
  }

  /**
   * Rejects when another process has taken the job. It is looked up when others may have taken this one for ended since the last look:
   * it stood still, or the catalog was away; then the run waits for it.
   */
  async #requireOurs(job: RunningJob, waiting: Waiting): Promise<void> {
    while (!this.#isKnownAsOurs) {
      if (await this.#isStillOurs(job, waiting)) continue;
      this.breakOff('lost');
      throw new DOMException('The job is lost.', 'AbortError');
    }
  }

  get #isKnownAsOurs(): boolean {
    const { life } = this.#options;
    return life === undefined || (life.isCertain && life.era === this.#oursIn);
  }

  /** False when another process has taken the job: then its load is that one's to make or to give up. */
  async #isStillOurs({ run }: RunningJob, waiting: Waiting): Promise<boolean> {
    // Nobody takes it after the look who has not looked for this life before.
    await this.#options.life?.certain(waiting);
    const era = this.#options.life?.era;
    const place = { kind: jobDocuments, id: jobDocumentId(this.job.jobId) };
    const now = await this.#patience.for(() => readDocument(this.#options.catalog, place, waiting), waiting);
    const isOurs = now !== undefined && isRunOf(now.value, run);
    if (isOurs) this.#oursIn = era;
    return isOurs;
  }

  async #handOver(job: RunningJob, waiting: Waiting): Promise<void> {
    if (await this.#change((before) => handOverJob(before, job.run), waiting))
      this.#options.observer.jobHandedOver(job);
  }

  /** False when the document is another run's by now. */
  async #change(change: (before: Job) => Job | undefined, waiting: Waiting): Promise<boolean> {
    const { catalog } = this.#options;
    let isChanged = false;
    let tried: Job | undefined;
    const changed = (before: Job | undefined): Job | undefined => {
      // The answer was lost, and the catalog away when it was asked again.
      isChanged = tried !== undefined && jobDocuments.isSame(before, tried);
      if (before === undefined || isChanged) return undefined;
      const after = change(before);
      isChanged = after !== undefined;
      tried = after ?? tried;
      return after;
    };
    const place = { kind: jobDocuments, id: jobDocumentId(this.job.jobId), change: changed };
    await this.#patience.for(() => changeDocument<Job>(catalog, place, waiting), waiting);
    return isChanged;
  }
}

/** True when the job has been taken since it was seen, by whoever. */
function isOthers(now: Job, seen: Job): boolean {
  if (now.phase !== 'running') return false;
  return seen.phase !== 'running' || !isRunOf(now, seen.run);
}

function beginningOf(kind: 'taken' | 'spent', { jobId, run: { attempt } }: RunningJob): string {
  if (kind === 'spent') return `Job "${jobId}" is not run again: its process ended ${attempt} times while it ran.`;
  return attempt === 1 ? `Running job "${jobId}".` : `Running job "${jobId}" again: its process ended.`;
}

function unloadable({ jobId }: Job, row: LoadRow | undefined): JobFault {
  const why =
    row === undefined
      ? 'its place in the ledger of loads is gone, as after a restore of the tables'
      : 'an earlier run gave it up, and its process ended before it could write down why';
  return new JobFault('application', `The tables of job "${jobId}" cannot be loaded: ${why}.`);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
