import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { rootToken } from '../support/installation.ts';
import { ItemApi, itemConfiguration } from '../support/item-api.ts';
import type { ProductProcess } from '../support/process.ts';
import { runMillrace } from '../support/run-millrace.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

interface Job {
  readonly id: string;
  readonly phase: string;
  readonly heldUp: string | null;
  readonly progress: { readonly rows: number } | null;
}

const env = { MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1' };

describe.skipIf(missing !== undefined)('jobs of a cluster', () => {
  let cluster: Cluster;
  let api: ItemApi;

  beforeAll(async () => {
    [cluster, api] = await Promise.all([openCluster(), ItemApi.open(25)]);
  });

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  const ask = async ({ admin }: ProductProcess, path: string, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/json' };
    const response = await fetch(admin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as Job & { readonly error: string } };
  };
  const gauge = async ({ admin }: ProductProcess, name: string): Promise<number> => {
    const page = await (await fetch(`${admin}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1]);
  };
  const doctor = async (): Promise<string> =>
    (await runMillrace(['doctor', '--topology', cluster.topology], { env: cluster.secrets })).stdout;

  it('J1: a cluster without the role work refuses jobs, and takes them while its worker is replaced', async () => {
    const control = await cluster.start('admin,ingest,map,stage,import', env);
    const asked = { component: 'generic-extractor', config: 'shop', configData: itemConfiguration(api.url) };
    const refused = await ask(control, '/jobs', asked);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.body.error).toMatch(/^Cannot create job: no process of this product runs jobs, nor did one /);
    expect(await doctor()).toMatch(/\njobs\n {2}! work: No process runs jobs, nor did one within the last hour/);

    const worker = await cluster.start('work', env);
    const first = await eventually(
      async () => {
        const answer = await ask(control, '/jobs', asked);
        expect(answer).toMatchObject({ status: 201, body: { heldUp: null } });
        return answer.body;
      },
      { withinMs: 120_000 },
    );
    const ended = async (id: string): Promise<void> => {
      const look = async (): Promise<void> =>
        expect((await ask(control, `/jobs/${id}`)).body).toMatchObject({
          status: 'success',
          progress: { rows: 25 },
        });
      await eventually(look, { withinMs: 120_000 });
    };
    await ended(first.id);
    await eventually(async () => expect(await gauge(control, 'millrace_work_processes')).toBe(1), {
      withinMs: 120_000,
    });
    expect(await doctor()).toMatch(/\njobs\n {2}✓ work: \S+-work runs jobs\./);

    worker.kill('SIGKILL');
    await worker.ended;
    const told = async (): Promise<Job> => {
      const { status, body } = await ask(control, '/jobs', asked);
      expect(status).toBe(201);
      expect(body.heldUp).toMatch(/^No process runs jobs at present/);
      return body;
    };
    const second = await eventually(told, { withinMs: 120_000, everyMs: 2000 });
    await eventually(
      async () => {
        expect(await gauge(control, 'millrace_work_processes')).toBe(0);
        expect(await gauge(control, 'millrace_unbegun_jobs')).toBeGreaterThan(0);
        expect(await gauge(control, 'millrace_unbegun_job_oldest_seconds')).toBeGreaterThan(0);
      },
      { withinMs: 120_000 },
    );
    expect(await doctor()).toMatch(/\njobs\n {2}✗ work: \d+ jobs? waits?, and no process runs jobs/);
    await cluster.start('work', env);
    await ended(second.id);
  }, 600_000);
});
