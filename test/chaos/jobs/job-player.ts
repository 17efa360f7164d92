import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../support/api.ts';
import { ItemApi, itemConfiguration } from '../../support/item-api.ts';
import { verifyJobs, type JobsVerdict } from './verify-jobs.ts';

/** Each has a table of its own, to which every job adds all items: what is loaded twice is there once too often. */
export const jobConfigurations = ['first', 'second', 'third'] as const;
const items = 60;
const jobs = '/jobs';

export interface JobPlayerOptions {
  /** The API of each process that serves it; asked anew for each request, because processes come back. */
  readonly apis: () => readonly Api[];
  /** Between two jobs of one configuration. */
  readonly pauseMs: number;
}

/** Asks for jobs, one after the other of each configuration, whatever becomes of the product meanwhile. */
export class JobPlayer implements AsyncDisposable {
  readonly #options: JobPlayerOptions;
  readonly #items: ItemApi;
  readonly #stopping = new AbortController();
  readonly #playing: Promise<unknown>;
  #turn = 0;
  #seen = 0;

  private constructor(options: JobPlayerOptions, itemApi: ItemApi) {
    this.#options = options;
    this.#items = itemApi;
    this.#playing = Promise.all(jobConfigurations.map((name) => this.#play(name)));
  }

  /** Makes the configurations at a product that is well, and begins. */
  static async start(options: JobPlayerOptions): Promise<JobPlayer> {
    const itemApi = await ItemApi.open(items);
    const [api] = options.apis();
    for (const name of jobConfigurations) {
      const config = { outputBucket: 'jobs', incrementalOutput: true, jobs: [{ endpoint: name }] };
      await api?.call('POST', '/v2/storage/components/generic-extractor/configs', {
        configurationId: name,
        name,
        configuration: itemConfiguration(itemApi.url, config),
      });
    }
    return new JobPlayer(options, itemApi);
  }

  /** How many jobs it has seen end. */
  get seen(): number {
    return this.#seen;
  }

  /** Asks for no more; waits until all jobs have ended, and compares the tables with them. */
  async judge(): Promise<JobsVerdict> {
    await this.#stop();
    return verifyJobs(this.#api(), {
      configurations: jobConfigurations,
      items,
      tableOf: (name) => `in.c-jobs.${name}`,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
    await this.#items[Symbol.asyncDispose]();
  }

  async #stop(): Promise<void> {
    this.#stopping.abort();
    await this.#playing;
  }

  async #play(config: string): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const { id } = await this.#api().call<{ id: string }>('POST', jobs, { component: 'generic-extractor', config });
        await this.#ended(id);
        this.#seen += 1;
      } catch {
        // The process is away, or the answer is lost: the list at the end has every job that was made.
      }
      await sleep(this.#options.pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #ended(id: string): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const isFinished = await this.#api()
        .call<{ isFinished: boolean }>('GET', `${jobs}/${id}`)
        .then(
          (job) => job.isFinished,
          () => false,
        );
      if (isFinished) return;
      await sleep(50, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The next of those that there are. */
  #api(): Api {
    const apis = this.#options.apis();
    this.#turn += 1;
    const api = apis[this.#turn % apis.length];
    if (api === undefined) throw new Error('no process has the role admin');
    return api;
  }
}
