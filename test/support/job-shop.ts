import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { requireItems } from '../chaos/jobs/verify-jobs.ts';
import { Api } from './api.ts';
import { eventually } from './eventually.ts';
import { rootToken, type Installation } from './installation.ts';
import { itemConfiguration, type ItemApi } from './item-api.ts';

/** A job as the API shows it. */
export interface ShopJob {
  readonly id: string;
  readonly status: string;
  readonly isFinished: boolean;
  readonly attempt: number;
  readonly result: { readonly message: string; readonly error?: { readonly type: string } };
}

/** What a process that runs jobs of the machine itself is started with. */
export const jobShopEnv = { MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1' };

/** A started product with a configuration whose every job adds all items of an API to one table. */
export class JobShop {
  readonly tableId = 'in.c-shop.items';
  readonly #product: Installation;
  readonly #items: ItemApi;

  constructor(product: Installation, items: ItemApi) {
    this.#product = product;
    this.#items = items;
  }

  get api(): Api {
    return new Api(this.#product.process.admin, rootToken);
  }

  async configure(): Promise<void> {
    const configuration = itemConfiguration(this.#items.url, { limit: 1000, incrementalOutput: true });
    const body = { configurationId: 'shop', name: 'Shop', configuration };
    await this.api.call('POST', '/v2/storage/components/generic-extractor/configs', body);
  }

  async ask(): Promise<string> {
    return (await this.api.call<ShopJob>('POST', '/jobs', { component: 'generic-extractor', config: 'shop' })).id;
  }

  async ended(id: string, withinMs = 60_000): Promise<ShopJob> {
    const look = async (): Promise<ShopJob> => {
      const job = await this.api.call<ShopJob>('GET', `/jobs/${id}`);
      if (!job.isFinished) throw new Error(`the job has not ended: ${JSON.stringify(job)}`);
      return job;
    };
    return eventually(look, { withinMs });
  }

  /** Rejects unless each item is there as often as jobs succeeded, and no local file of a job is left. */
  async holds(times: number): Promise<void> {
    const { status } = await this.api.request('GET', `/v2/storage/tables/${this.tableId}`);
    if ((status === 200) !== times > 0) throw new Error(`the table is answered with ${status}`);
    if (times > 0) await requireItems(this.api, { tableId: this.tableId, items: this.#items.items, times });
    await eventually(async () => {
      const [left] = await readdir(this.#jobFolder());
      if (left !== undefined) throw new Error(`"${left}" of a job is left on the disk`);
    });
  }

  #jobFolder(): string {
    const { folder } = this.#product;
    const found = readdirSync(folder, { recursive: true, withFileTypes: true });
    const jobs = found.find((one) => one.isDirectory() && one.name === 'jobs');
    if (jobs === undefined) throw new Error('there is no folder of jobs');
    return join(jobs.parentPath, jobs.name);
  }
}
