import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requireItems } from '../chaos/jobs/verify-jobs.ts';
import { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { ItemApi, itemConfiguration } from '../support/item-api.ts';
import { jobShopEnv, type ShopJob } from '../support/job-shop.ts';

const components = '/v2/storage/components/generic-extractor/configs';

let itemApi: ItemApi;
let product: Installation;
let number = 0;

/** A configuration with a token of its own, by which its jobs are asked for; every job adds 25 items to one table. */
interface Losing {
  readonly path: string;
  readonly bucketId: string;
  readonly tableId: string;
  readonly tokenId: string;
  ask(): Promise<string>;
}

const api = (token = rootToken): Api => new Api(product.process.admin, token);

async function make(): Promise<Losing> {
  number += 1;
  const name = `shop-${number}`;
  const configuration = itemConfiguration(itemApi.url, { outputBucket: name, incrementalOutput: true });
  await api().call('POST', components, { configurationId: name, name, configuration });
  const rights = { description: name, componentAccess: ['generic-extractor'] };
  const { id: tokenId, token } = await api().call<{ id: string; token: string }>('POST', '/v2/storage/tokens', rights);
  const ask = async (): Promise<string> =>
    (await api(token).call<ShopJob>('POST', '/jobs', { component: 'generic-extractor', config: name })).id;
  const bucketId = `in.c-${name}`;
  return { path: `${components}/${name}`, bucketId, tableId: `${bucketId}.items`, tokenId, ask };
}

const ended = (id: string): Promise<ShopJob> =>
  eventually(async () => {
    const job = await api().call<ShopJob>('GET', `/jobs/${id}`);
    if (!job.isFinished) throw new Error(`job ${id} is ${job.status}`);
    return job;
  });

/** Runs a job, and takes something away while it waits for its second page. */
async function jobThatLoses(losing: Losing, lose: () => Promise<unknown>): Promise<ShopJob> {
  const gate = itemApi.hold(10);
  const id = await losing.ask();
  await gate.reached;
  await lose();
  gate.open();
  return ended(id);
}

const holds = ({ tableId }: Losing, times: number): Promise<void> => requireItems(api(), { tableId, items: 25, times });

beforeAll(async () => {
  itemApi = await ItemApi.open(25);
  product = await Installation.start({ env: jobShopEnv });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await itemApi[Symbol.asyncDispose]();
});

describe('J15: what is deleted while its job runs', () => {
  it('is its configuration: the job goes on with what it has read, and one that is restored has its state', async () => {
    const losing = await make();
    const { status } = await jobThatLoses(losing, () => api().call('DELETE', losing.path));
    expect(status).toBe('success');
    await holds(losing, 1);
    await api().call('POST', `${losing.path}/restore`);
    expect(await api().call('GET', losing.path)).toMatchObject({
      state: { time: { previousStart: expect.any(Number) as number } },
    });
  });

  it('is its configuration, for good: the job goes on, and leaves nothing at another one under its id', async () => {
    const losing = await make();
    const { status } = await jobThatLoses(losing, async () => {
      await api().call('DELETE', losing.path);
      await api().call('DELETE', losing.path);
      const configurationId = losing.path.slice(components.length + 1);
      await api().call('POST', components, { configurationId, name: 'Another' });
    });
    expect(status).toBe('success');
    await holds(losing, 1);
    expect(await api().call('GET', losing.path)).toMatchObject({ name: 'Another', state: {} });
  });

  it('is its configuration: a job that waits for its turn, or is taken over, ends in words and loads nothing', async () => {
    const losing = await make();
    const gate = itemApi.hold(10);
    const running = await losing.ask();
    await gate.reached;
    const waiting = await losing.ask();
    await api().call('DELETE', losing.path);
    await product.stop('SIGKILL');
    gate.open();
    await product.start();
    for (const id of [running, waiting]) {
      const { status, result } = await ended(id);
      expect([status, result.error?.type]).toEqual(['error', 'user']);
      expect(result.message).toMatch(/^Configuration "shop-\d+" not found$/);
    }
    expect((await api().request('GET', `/v2/storage/tables/${losing.tableId}`)).status).toBe(404);
  });

  it('is its table, or the bucket of it: it is made anew, and holds what the job found', async () => {
    const losing = await make();
    expect((await ended(await losing.ask())).status).toBe('success');
    const table = (): Promise<unknown> => api().call('DELETE', `/v2/storage/tables/${losing.tableId}`);
    expect((await jobThatLoses(losing, table)).status).toBe('success');
    await holds(losing, 1);
    const bucket = (): Promise<unknown> => api().call('DELETE', `/v2/storage/buckets/${losing.bucketId}?force=true`);
    expect((await jobThatLoses(losing, bucket)).status).toBe('success');
    await holds(losing, 1);
    expect(await api().call('GET', `/v2/storage/buckets/${losing.bucketId}`)).toMatchObject({ tablesCount: 1 });
  });

  it('is the token that asked for it: the job goes on, and its record says who asked', async () => {
    const losing = await make();
    const job = await jobThatLoses(losing, () => api().call('DELETE', `/v2/storage/tokens/${losing.tokenId}`));
    expect(job).toMatchObject({ status: 'success', token: { id: losing.tokenId } });
    await holds(losing, 1);
    await expect(losing.ask()).rejects.toThrow(/401/);
  });
});
