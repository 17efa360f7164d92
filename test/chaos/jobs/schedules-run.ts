import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import type { FastClock } from '../../support/fast-clock.ts';
import { Installation, rootToken } from '../../support/installation.ts';
import { ItemApi, itemConfiguration } from '../../support/item-api.ts';
import { seededRandom } from '../random.ts';
import { requireItems } from './verify-jobs.ts';

export interface SchedulesRunOptions {
  readonly seed: number;
  readonly kills: number;
  /** Of the product: a minute on it is a second or so, or nothing would be planned while it lives. */
  readonly clock: FastClock;
}

export interface SchedulesReport {
  readonly kills: number;
  /** Planned times that were decided on. */
  readonly planned: number;
  readonly jobs: number;
  readonly missed: number;
}

interface Job {
  readonly id: string;
  readonly config: string;
  readonly status: string;
  readonly isFinished: boolean;
  readonly createdTime: string;
  readonly endTime: string | null;
  readonly scheduledFor: string | null;
  readonly result: { readonly message: string };
}

interface Shown {
  readonly nextRun: string;
  readonly missed: number;
}

const items = 30;
const minuteMs = 60_000;

/** Each plans a run every so many minutes. */
const schedules = [
  { name: 'often', minutes: 1 },
  { name: 'sometimes', minutes: 3 },
] as const;

const path = (name: string): string => `/v2/storage/components/generic-extractor/configs/${name}`;

/**
 * S3, S4, S5: schedules are kept by a product that is killed again and again, wherever it is. Throws unless each planned time has one job,
 * or counts as missed, no job was asked for while the one before had not ended, and the tables have what the jobs loaded.
 */
export async function schedulesRun({ seed, kills, clock }: SchedulesRunOptions): Promise<SchedulesReport> {
  const random = seededRandom(seed);
  await using itemApi = await ItemApi.open(items);
  await using product = await Installation.start({
    env: { ...clock.env, MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1' },
  });
  const api = (): Api => new Api(product.process.admin, rootToken);
  const first = new Map<string, number>();
  for (const { name, minutes } of schedules) {
    const configuration = itemConfiguration(itemApi.url, { outputBucket: name, incrementalOutput: true });
    const components = '/v2/storage/components/generic-extractor/configs';
    await api().call('POST', components, { configurationId: name, name, configuration });
    const { nextRun } = await api().call<Shown>('PUT', `${path(name)}/schedule`, { cron: `*/${minutes} * * * *` });
    first.set(name, Date.parse(nextRun));
  }
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(random() * 3000);
    await product.stop('SIGKILL');
    await product.start();
  }
  const report = { kills, planned: 0, jobs: 0, missed: 0 };
  for (const { name, minutes } of schedules) {
    // It goes on behind the last kill.
    const before = await api().call<Shown>('GET', `${path(name)}/schedule`);
    const { nextRun, missed } = await eventually(async () => {
      const now = await api().call<Shown>('GET', `${path(name)}/schedule`);
      if (Date.parse(now.nextRun) <= Date.parse(before.nextRun)) throw new Error(`S5: "${name}" does not go on`);
      return now;
    });
    const until = Date.parse(nextRun);
    const planned = (until - (first.get(name) ?? until)) / (minutes * minuteMs);
    // What was decided on last has its job a moment later.
    const judged = async (): Promise<readonly Job[]> => {
      const jobs = await endedJobs(api(), name, until);
      judge({ name, minutes, planned, missed, jobs });
      return jobs;
    };
    const jobs = await eventually(judged);
    report.planned += planned;
    report.jobs += jobs.length;
    report.missed += missed;
  }
  // Nothing more is asked for while the tables are compared.
  for (const { name } of schedules) await api().call('DELETE', `${path(name)}/schedule`);
  for (const { name } of schedules) {
    const all = await eventually(() => endedJobs(api(), name, Infinity));
    const times = all.filter(({ status }) => status === 'success').length;
    await requireItems(api(), { tableId: `in.c-${name}.items`, items, times });
  }
  return report;
}

/** Those that its schedule planned for before this time, in that order; rejects while one of them has not ended. */
async function endedJobs(api: Api, name: string, until: number): Promise<readonly Job[]> {
  const jobs: Job[] = [];
  for (let page: readonly Job[] = []; jobs.length === 0 || page.length === 100; jobs.push(...page)) {
    page = await api.call<Job[]>('GET', `/search/jobs?limit=100&offset=${jobs.length}&sortOrder=asc&config=${name}`);
    if (page.length === 0) break;
  }
  const own = jobs.filter(({ scheduledFor }) => Date.parse(scheduledFor ?? '') < until);
  const open = own.find(({ isFinished }) => !isFinished);
  if (open !== undefined) throw new Error(`job ${open.id} is ${open.status}`);
  return own.toSorted((one, other) => timeOf(one) - timeOf(other));
}

interface Kept {
  readonly name: string;
  readonly minutes: number;
  readonly planned: number;
  readonly missed: number;
  readonly jobs: readonly Job[];
}

function judge({ name, minutes, planned, missed, jobs }: Kept): void {
  const broken = jobs.find(({ status, result }) => status !== 'success' && !result.message.includes('was given up'));
  if (broken !== undefined) throw new Error(`job ${broken.id} ended as ${broken.status}: ${broken.result.message}`);
  const odd = jobs.find((job) => timeOf(job) % (minutes * minuteMs) !== 0);
  if (odd !== undefined) throw new Error(`S3: job ${odd.id} is for ${odd.scheduledFor}, which "${name}" never planned`);
  for (const [at, job] of jobs.entries()) {
    const last = jobs[at - 1];
    if (last === undefined) continue;
    if (timeOf(last) === timeOf(job)) throw new Error(`S3: jobs ${last.id} and ${job.id} are for ${job.scheduledFor}`);
    if (Date.parse(job.createdTime) < Date.parse(last.endTime ?? ''))
      throw new Error(`S4: job ${job.id} was asked for before job ${last.id} had ended`);
  }
  if (jobs.length + missed !== planned)
    throw new Error(
      `S5: "${name}" planned ${planned} runs, ${jobs.length} have a job and ${missed} are told as missed`,
    );
}

function timeOf({ scheduledFor }: Job): number {
  return Date.parse(scheduledFor ?? '');
}
