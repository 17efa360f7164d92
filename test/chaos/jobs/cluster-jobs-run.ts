import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import { ItemApi, itemConfiguration } from '../../support/item-api.ts';
import { seededRandom } from '../random.ts';
import { startJobsCluster, type JobsCluster, type Victim } from './jobs-cluster.ts';
import { seenRuns } from './page-order.ts';
import { allEnded, givenUp, requireItems, type Job } from './verify-jobs.ts';

export interface ClusterJobsOptions {
  readonly seed: number;
  readonly items: number;
  /** Of one page. */
  readonly limit: number;
  readonly kills: number;
  /** Processes with the role work. */
  readonly workers: number;
  /** So many jobs are under way at a time. */
  readonly lanes: number;
  readonly say: (line: string) => void;
}

export const targets = ['one worker', 'all workers', 'the catalog', 'the table store'] as const;
export type Target = (typeof targets)[number];

export interface ClusterJobsReport {
  readonly seed: number;
  readonly kills: Readonly<Record<Target, number>>;
  readonly jobs: number;
  readonly succeeded: number;
  /** Of those that succeeded, how many were run more than once. */
  readonly takenOver: number;
  /** Their process ended three times. */
  readonly givenUp: number;
  readonly rows: number;
  /** How long a job takes that nobody disturbs, and all of it. */
  readonly secondsOfJob: number;
  readonly seconds: number;
}

const configurations = '/v2/storage/components/generic-extractor/configs';
const bucket = 'many';
const mostAttempts = 3;
const longestAwayMs = 4000;
const endsWithinMs = 600_000;

/**
 * J3, J10 in a cluster: jobs take all items of an API, each into a table of its own, while workers, the catalog and the table store are
 * killed and come back. At the end every job has ended and the table of each that succeeded has each item once; a job was begun as often
 * as workers were killed and once more, and never run by two at a time. Throws when anything is otherwise; the message says where the logs
 * are.
 */
export async function clusterJobsRun(options: ClusterJobsOptions): Promise<ClusterJobsReport> {
  await using cluster = await startJobsCluster({ workers: options.workers });
  await using items = await ItemApi.open(options.items);
  const run = new ClusterJobsRun(options, cluster, items);
  try {
    return await Promise.race([run.all(), cluster.failed]);
  } catch (thrown) {
    run.stop();
    cluster.keep();
    await writeFile(join(cluster.folder, 'pages.txt'), items.seen.join('\n'));
    const said = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(`seed ${options.seed}: ${said}\nlogs: ${cluster.folder}`, { cause: thrown });
  }
}

class ClusterJobsRun {
  readonly #options: ClusterJobsOptions;
  readonly #cluster: JobsCluster;
  readonly #items: ItemApi;
  readonly #random: () => number;
  /** No more jobs are asked for. */
  readonly #enough = new AbortController();
  readonly #stopped = new AbortController();
  readonly #kills: Record<Target, number> = {
    'one worker': 0,
    'all workers': 0,
    'the catalog': 0,
    'the table store': 0,
  };
  #names = 0;
  #seconds = 0;

  constructor(options: ClusterJobsOptions, cluster: JobsCluster, items: ItemApi) {
    this.#options = options;
    this.#cluster = cluster;
    this.#items = items;
    this.#random = seededRandom(options.seed);
  }

  stop(): void {
    this.#stopped.abort();
    this.#enough.abort();
  }

  async all(): Promise<ClusterJobsReport> {
    const { lanes, say, items } = this.#options;
    const began = performance.now();
    await this.#runOne();
    this.#seconds = (performance.now() - began) / 1000;
    say(`${items} items in ${this.#seconds.toFixed(1)} s`);
    const playing = Promise.all(Array.from({ length: lanes }, () => this.#play()));
    await Promise.race([this.#killAll(), playing]);
    this.#enough.abort();
    await playing;
    await this.#runOne();
    return { ...(await this.#judge()), secondsOfJob: this.#seconds, seconds: (performance.now() - began) / 1000 };
  }

  async #play(): Promise<void> {
    while (!this.#enough.signal.aborted) await this.#runOne();
  }

  /** A job of a configuration of its own, from the request until it has ended. */
  async #runOne(): Promise<void> {
    this.#names += 1;
    const name = `items${this.#names}`;
    const config = { outputBucket: bucket, incrementalOutput: true, jobs: [{ endpoint: name }] };
    const configuration = itemConfiguration(this.#items.url, { ...config, limit: this.#options.limit });
    await this.#until(async () => {
      const { status, text } = await this.#cluster.api().request('POST', configurations, {
        configurationId: name,
        name,
        configuration,
      });
      // Made by a request whose answer was lost.
      if (status >= 400 && !text.includes('already exists'))
        throw new Error(`configuration ${name}: ${status} ${text}`);
    });
    await this.#until(async () => {
      const asked = { component: 'generic-extractor', config: name };
      if ((await this.#jobsOf(name)).length === 0) await this.#cluster.api().call('POST', '/jobs', asked);
    });
    await this.#until(async () => {
      const open = (await this.#jobsOf(name)).find(({ isFinished }) => !isFinished);
      if (open !== undefined) throw new Error(`J10: job ${open.id} is ${open.status}: ${JSON.stringify(open)}`);
    });
  }

  #jobsOf(config: string): Promise<readonly Job[]> {
    return this.#cluster.api().call<Job[]>('GET', `/search/jobs?config=${config}`);
  }

  async #until(attempt: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    await eventually(() => (signal.aborted ? undefined : attempt()), { withinMs: endsWithinMs, everyMs: 100 });
  }

  /** Half of the kills are of workers; each target has its turn. */
  async #killAll(): Promise<void> {
    const { kills, say } = this.#options;
    for (let number = 1; number <= kills; number += 1) {
      const target = targets[(number - 1) % targets.length] ?? 'one worker';
      await sleep(this.#random() * this.#seconds * 1000, undefined, { signal: this.#stopped.signal });
      await this.#until(async () => {
        const open = await this.#cluster.api().call<Job[]>('GET', '/search/jobs?status=processing');
        if (!open.some(({ phase }) => phase === 'running')) throw new Error('no job runs');
      });
      const victims = this.#victims(target);
      const awayMs = this.#random() * longestAwayMs;
      say(`kill ${number} of ${kills}: ${target} for ${(awayMs / 1000).toFixed(1)} s`);
      await Promise.all(victims.map((victim) => victim.kill()));
      await sleep(awayMs);
      await Promise.all(victims.map((victim) => victim.start()));
      this.#kills[target] += 1;
    }
  }

  #victims(target: Target): readonly Victim[] {
    const { workers, catalog, tables } = this.#cluster;
    switch (target) {
      case 'one worker':
        return workers.slice(Math.floor(this.#random() * workers.length)).slice(0, 1);
      case 'all workers':
        return workers;
      case 'the catalog':
        return [catalog];
      case 'the table store':
        return [tables];
      default:
        return target satisfies never;
    }
  }

  async #judge(): Promise<Omit<ClusterJobsReport, 'seconds' | 'secondsOfJob'>> {
    const { seed, items, limit } = this.#options;
    const api = this.#cluster.api();
    const jobs = await eventually(() => allEnded(api), { withinMs: endsWithinMs, everyMs: 200 });
    const deaths = this.#kills['one worker'] + this.#kills['all workers'];
    const isGivenUp = ({ attempt, result }: Job): boolean => attempt === mostAttempts && givenUp.test(result.message);
    const broken = jobs.find((job) => job.status !== 'success' && !isGivenUp(job));
    if (broken !== undefined) throw new Error(`job ${broken.id} ended as ${broken.status}: ${broken.result.message}`);
    for (const [endpoint, { runs }] of seenRuns(this.#items.seen, limit)) {
      const count = jobs.filter(({ config }) => config === endpoint).length;
      if (runs > count * (deaths + 1)) throw new Error(`J3: ${endpoint} was begun ${runs} times by ${count} jobs`);
    }
    const succeeded = jobs.filter(({ status }) => status === 'success');
    for (const config of new Set(jobs.map((job) => job.config))) {
      const tableId = `in.c-${bucket}.${config}`;
      const times = succeeded.filter((job) => job.config === config).length;
      if (times > 0) await requireItems(api, { tableId, items, times });
      else if ((await api.request('GET', `/v2/storage/tables/${tableId}`)).status !== 404)
        throw new Error(`D3: ${tableId} is there, and no job of it succeeded`);
    }
    return {
      seed,
      kills: this.#kills,
      jobs: jobs.length,
      succeeded: succeeded.length,
      takenOver: succeeded.filter(({ attempt }) => attempt > 1).length,
      givenUp: jobs.length - succeeded.length,
      rows: succeeded.length * items,
    };
  }
}
