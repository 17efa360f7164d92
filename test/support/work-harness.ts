import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbTableStore } from '../../src/adapters/duckdb/table-store.ts';
import { openHttpClient } from '../../src/adapters/http-client/http-client.ts';
import { openLmdbCatalog } from '../../src/adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import type { ComponentId } from '../../src/core/component.ts';
import type { Configuration, ConfigurationKey, ConfigurationRow } from '../../src/core/configuration.ts';
import { parseHostRule } from '../../src/core/host-rule.ts';
import { defaultBranch } from '../../src/core/ids.ts';
import type { Job, JobRequest } from '../../src/core/jobs/job.ts';
import type { JobEvent } from '../../src/core/jobs/job-event.ts';
import type { RunProgress } from '../../src/core/jobs/run-progress.ts';
import { jobLoad } from '../../src/core/jobs/job-load.ts';
import type { Schedule } from '../../src/core/schedules/schedule.ts';
import { killJob } from '../../src/core/jobs/end-job.ts';
import type { MillraceError } from '../../src/core/millrace-error.ts';
import { RetryPacing } from '../../src/core/retry-pacing.ts';
import { parseTableId } from '../../src/core/table-id.ts';
import { changeDocument, putDocument } from '../../src/documents/change-document.ts';
import { configurationDocuments } from '../../src/documents/configuration-document.ts';
import { configurationDocumentId, jobDocumentId, jobEventPrefix } from '../../src/documents/document-id.ts';
import { jobDocuments } from '../../src/documents/job-document.ts';
import { eachJob } from '../../src/documents/each-job.ts';
import { jobEventDocuments } from '../../src/documents/job-event-document.ts';
import { jobProgressDocuments } from '../../src/documents/job-progress-document.ts';
import { listDocuments } from '../../src/documents/list-documents.ts';
import { makeJob } from '../../src/documents/make-job.ts';
import { scheduleDocuments } from '../../src/documents/schedule-document.ts';
import { readDocument } from '../../src/documents/read-document.ts';
import { createEventIds } from '../../src/events/event-id.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import type { LoadRow } from '../../src/ports/table-loads.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import type { OpenHttpClient } from '../../src/ports/http-client.ts';
import { Supervised } from '../../src/runtime/supervise.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { unique } from '../../src/runtime/unique.ts';
import { Replica } from '../../src/stages/replica/replica.ts';
import { SecretKeys } from '../../src/secrets/secret-keys.ts';
import { ConfigurationSecrets } from '../../src/stages/work/configuration-secrets.ts';
import { JobDisk } from '../../src/stages/work/job-disk.ts';
import { RunningJobs, type RunningJobsOptions } from '../../src/stages/work/running-jobs.ts';
import { ScheduleKeeper } from '../../src/stages/work/schedule-keeper.ts';
import { WorkService, type WorkServiceOptions } from '../../src/stages/work/work-service.ts';
import type { EndedWork, WorkObserver } from '../../src/telemetry/observe-work.ts';
import { eventually } from './eventually.ts';
import { ToldOfSchedules } from './told-of-schedules.ts';

const never = { signal: new AbortController().signal };
const stamp = { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } } as const;
const version = { ...stamp, number: 1, changeDescription: '' };

type Ended = Extract<Job, { phase: 'ended' }>;

/** A worker of the test, as a process has one. */
export interface Worker extends AsyncDisposable {
  readonly service: Supervised;
  readonly running: RunningJobs;
  /** As a process that leaves. */
  drain(): Promise<void>;
  /** As a process that is killed: nothing more is done. */
  kill(): Promise<void>;
}

/** Jobs on the embedded stores, with as many workers as the test wants. */
export class WorkHarness implements AsyncDisposable {
  readonly catalog: Catalog;
  readonly tables: TableStore;
  readonly log: EventLog;
  readonly folder: string;
  /** What broke, what held jobs up, and how they ended, as observers were told. */
  readonly broken: unknown[] = [];
  readonly heldUp: MillraceError[] = [];
  readonly endings: (EndedWork & { readonly jobId: string })[] = [];
  /** What was told of schedules. */
  readonly scheduled = new ToldOfSchedules();
  /** How often a worker looked for what is due. */
  rounds = 0;
  readonly #stack: AsyncDisposableStack;
  #workers = 0;

  private constructor(stack: AsyncDisposableStack, parts: Pick<WorkHarness, 'catalog' | 'tables' | 'log' | 'folder'>) {
    this.#stack = stack;
    this.catalog = parts.catalog;
    this.tables = parts.tables;
    this.log = parts.log;
    this.folder = parts.folder;
  }

  /** `within`: folder in which its own is made; default: that of temporary files. */
  static async open({ within = tmpdir() } = {}): Promise<WorkHarness> {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(within, 'millrace-work-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const catalog = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
    const log = stack.use(
      await openLmdbEventLog({ path: join(folder, 'log'), clock: systemClock, instance: 'main', first: true }),
    );
    const file = { path: join(folder, 'tables.duckdb'), tempDir: join(folder, 'tmp'), threads: 1 };
    const tables = stack.use(await openDuckDbTableStore({ ...file, memoryLimitBytes: 96 * 1024 ** 2 }));
    return new WorkHarness(stack.move(), { catalog, tables, log, folder });
  }

  /** Starts a worker; what is given takes the place of the usual. It ends with the harness. */
  async work(given: Partial<RunningJobsOptions & WorkServiceOptions> = {}): Promise<Worker> {
    this.#workers += 1;
    const member = `worker-${this.#workers}`;
    const folder = join(this.folder, member);
    await mkdir(folder);
    const catalog = given.catalog ?? this.catalog;
    const aborter = new AbortController();
    const { signal } = aborter;
    const options = {
      catalog,
      workLog: this.log,
      loads: this.tables,
      openHttp: openLoopback,
      secrets: new ConfigurationSecrets(catalog, new SecretKeys([])),
      clock: systemClock,
      random: () => 0,
      retry: new RetryPacing({ firstMs: 5, capMs: 50 }, () => 0.5),
      observer: this.#observer(),
      eventIds: createEventIds((words) => crypto.getRandomValues(words)),
      unique,
      folder,
      disk: new JobDisk({ folder, bytes: 1e9, reserveBytes: 0 }),
      member,
      atOnce: 4,
      timeoutMs: 60_000,
      progressEveryMs: 5,
      takeOverMs: 0,
      hasOthers: false,
      drainMs: 1000,
      ...given,
    };
    const running = given.running ?? new RunningJobs(options, { signal });
    const make = (): WorkService => {
      const onInvalid = (_: string, thrown: unknown): void => void this.broken.push(thrown);
      const isWanted = ({ phase }: Job): boolean => phase !== 'ended';
      const jobs = new Replica({ catalog, kind: jobDocuments, onInvalid, isWanted });
      const schedules = new Replica({ catalog, kind: scheduleDocuments, onInvalid });
      const openJobs = (): number => jobs.size;
      const keeper = new ScheduleKeeper({ ...options, schedules, openJobs, observer: this.scheduled });
      return new WorkService({ jobs, keeper, ...options, running });
    };
    const service = new Supervised(make, {
      clock: systemClock,
      retry: options.retry,
      onFailure: () => undefined,
      signal,
    });
    const kill = async (): Promise<void> => {
      aborter.abort();
      await service[Symbol.asyncDispose]();
      await running.leave(0, { signal });
    };
    const drain = async (): Promise<void> => {
      await service.drain();
      await running.leave(options.drainMs, { signal });
    };
    this.#stack.defer(kill);
    return { service, running, drain, kill, [Symbol.asyncDispose]: kill };
  }

  #observer(): WorkObserver {
    return {
      jobStarted: () => undefined,
      jobEnded: ({ jobId }, ended) => void this.endings.push({ ...ended, jobId }),
      jobBroken: (_, { cause }) => void this.broken.push(cause),
      jobHandedOver: () => undefined,
      jobHeldUp: (_, error) => void this.heldUp.push(error),
      filesLeft: (_, cause) => void this.broken.push(cause),
      standing: () => void (this.rounds += 1),
    };
  }

  /** Stores a configuration of the default branch, as it stands after it was made. */
  async configure(
    configurationId: string,
    configuration: object,
    { componentId = 'generic-extractor', rows = [], ...fields }: Configured = {},
  ): Promise<void> {
    const text = JSON.stringify(configuration);
    const shared = { description: '', state: '{}', isDisabled: false, version, created: stamp };
    const key = { branchId: defaultBranch, componentId, configurationId };
    const value: Configuration = {
      ...key,
      ...shared,
      ...fields,
      name: configurationId,
      configuration: text,
      rows: rows.map(({ configuration: row = {}, ...of }) => ({
        ...shared,
        name: of.rowId,
        ...of,
        configuration: JSON.stringify(row),
      })),
    };
    await putDocument(this.catalog, { kind: configurationDocuments, id: configurationDocumentId(key), value }, never);
  }

  /** Stores a schedule of a configuration. */
  async plan(schedule: Schedule): Promise<void> {
    const place = { kind: scheduleDocuments, id: configurationDocumentId(schedule) };
    await putDocument(this.catalog, { ...place, value: schedule }, never);
  }

  async schedule(key: ConfigurationKey): Promise<Schedule> {
    const place = { kind: scheduleDocuments, id: configurationDocumentId(key) };
    const found = await readDocument(this.catalog, place, never);
    if (found === undefined) throw new Error('there is no schedule');
    return found.value;
  }

  /** The jobs that schedules asked for, in the order of their numbers. */
  async scheduledJobs(): Promise<readonly Job[]> {
    const found: Job[] = [];
    for await (const job of eachJob(this.catalog, {}, never))
      if (job.request.scheduledFor !== undefined) found.push(job);
    return found;
  }

  async configuration(configurationId: string): Promise<Configuration | undefined> {
    const id = configurationDocumentId({ branchId: defaultBranch, componentId: 'generic-extractor', configurationId });
    return (await readDocument(this.catalog, { kind: configurationDocuments, id }, never))?.value;
  }

  /** Makes a job, as the API does. */
  async ask(request: Partial<JobRequest>): Promise<string> {
    const whole: JobRequest = {
      branchId: defaultBranch,
      componentId: 'generic-extractor',
      rowIds: [],
      mode: 'run',
      variableValues: [],
      ...request,
    };
    const parts = { catalog: this.catalog, loads: this.tables };
    return (await makeJob(parts, { request: whole, created: stamp, taker: unique() }, never)).jobId;
  }

  async kill(jobId: string): Promise<void> {
    const change = (before: Job | undefined): Job | undefined =>
      before === undefined ? undefined : killJob(before, { at: new Date().toISOString() });
    await changeDocument<Job>(this.catalog, { kind: jobDocuments, id: jobDocumentId(jobId), change }, never);
  }

  async job(jobId: string): Promise<Job> {
    const found = await readDocument(this.catalog, { kind: jobDocuments, id: jobDocumentId(jobId) }, never);
    if (found === undefined) throw new Error(`there is no job ${jobId}`);
    return found.value;
  }

  /** How far the run of a job is, as far as it was written down. */
  async progress(jobId: string): Promise<RunProgress | undefined> {
    const place = { kind: jobProgressDocuments, id: jobDocumentId(jobId) };
    return (await readDocument(this.catalog, place, never))?.value;
  }

  /** The job once it has ended. */
  ended(jobId: string, withinMs = 60_000): Promise<Ended> {
    const look = async (): Promise<Ended> => {
      const job = await this.job(jobId);
      if (job.phase !== 'ended') throw new Error(`job ${jobId} is ${job.phase}`);
      return job;
    };
    return eventually(look, { withinMs, everyMs: 5 });
  }

  /** Once somebody runs it. */
  running(jobId: string): Promise<Job> {
    return eventually(
      async () => {
        const job = await this.job(jobId);
        if (job.phase !== 'running') throw new Error(`job ${jobId} is ${job.phase}`);
        return job;
      },
      { everyMs: 5 },
    );
  }

  /** The ledger row of the tables of a job. */
  loadOf(jobId: string): Promise<LoadRow | undefined> {
    return this.tables.readLoad(jobLoad(jobId), never);
  }

  /** The lines of the log of a job. */
  async lines(jobId: string): Promise<readonly string[]> {
    const place = { kind: jobEventDocuments, prefix: jobEventPrefix(jobId) };
    return (await listDocuments<JobEvent>(this.catalog, place, never)).map(
      ({ type, message }) => `${type}: ${message}`,
    );
  }

  /** The cells of the first column of a table, sorted as numbers; undefined when there is no table. */
  async cells(tableId: string): Promise<readonly string[] | undefined> {
    const id = parseTableId(tableId);
    if ((await this.tables.describeTable(id, never)) === undefined) return undefined;
    const { rows } = await this.tables.preview(id, { limit: 100_000 }, never);
    return rows.map(([cell = '']) => cell).toSorted((one, other) => Number(one) - Number(other));
  }

  /** Local files of jobs, of all workers. */
  async files(): Promise<readonly string[]> {
    const folders = (await readdir(this.folder)).filter((name) => name.startsWith('worker-'));
    const all = await Promise.all(folders.map((name) => readdir(join(this.folder, name))));
    return all.flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}

interface Configured extends Partial<Pick<Configuration, 'isDisabled' | 'created' | 'deleted'>> {
  readonly componentId?: ComponentId;
  readonly rows?: readonly (Partial<Omit<ConfigurationRow, 'configuration'>> & {
    readonly rowId: string;
    readonly configuration?: object;
  })[];
}

const loopback = [parseHostRule('127.0.0.1')].filter((rule) => rule !== undefined);

/** Asks this machine alone. */
export const openLoopback: OpenHttpClient = (settings) => openHttpClient({ ...settings, allowedHosts: loopback });

/** The numbers of so many items, as cells. */
export function numbers(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => String(at));
}
