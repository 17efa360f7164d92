import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '../chaos/cluster/member.ts';
import { startJobsCluster, type JobsCluster } from '../chaos/jobs/jobs-cluster.ts';
import { seenRuns } from '../chaos/jobs/page-order.ts';
import { requireItems, type Job } from '../chaos/jobs/verify-jobs.ts';
import { whyNoCluster } from '../support/cluster.ts';
import { leftOut } from '../support/long-tests.ts';
import { eventually } from '../support/eventually.ts';
import { ItemApi, itemConfiguration } from '../support/item-api.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const items = 40;
const limit = 10;
const soon = { withinMs: 120_000, everyMs: 100 };
/** Longer than a process may say nothing before its jobs are taken over. */
const longMs = 15_000;

describe.skipIf(missing !== undefined)('J3, J10: jobs of a cluster whose workers and stores come and go', () => {
  let cluster: JobsCluster;
  let first: Member;
  let second: Member;
  let api: ItemApi;
  let names = 0;

  beforeAll(async () => {
    // Room for as many as it takes until each worker has one.
    cluster = await startJobsCluster({ workers: 2, env: { MILLRACE_JOBS: '100' } });
    [first, second] = cluster.workers as [Member, Member];
  });

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    api = await ItemApi.open(items);
    // What failed with its store is there again.
    const isReady = async ({ process }: Member): Promise<void> =>
      expect((await fetch(`${process.ops}/health/ready`)).status).toBe(200);
    for (const worker of [first, second]) await eventually(() => isReady(worker), soon);
  });

  afterEach(async () => {
    await api[Symbol.asyncDispose]();
  });

  /** Nothing is changed while the catalog is away, nor for a moment after it. */
  const whenTaken = (path: string, body: object): Promise<Job> =>
    eventually(() => cluster.api().call<Job>('POST', path, body), soon);

  /** Asks for so many jobs, each of a configuration of its own; answers their ids by the names of these. */
  async function ask(count: number): Promise<ReadonlyMap<string, string>> {
    const asked = new Map<string, string>();
    for (let at = 0; at < count; at += 1) {
      names += 1;
      const name = `moving${names}`;
      const config = { outputBucket: 'moving', incrementalOutput: true, jobs: [{ endpoint: name }] };
      const configuration = itemConfiguration(api.url, { ...config, limit });
      await whenTaken('/v2/storage/components/generic-extractor/configs', {
        configurationId: name,
        name,
        configuration,
      });
      asked.set(name, (await whenTaken('/jobs', { component: 'generic-extractor', config: name })).id);
    }
    return asked;
  }

  /** Every job is somewhere, and each of the workers has some. */
  async function askUntilBothRun(): Promise<ReadonlyMap<string, string>> {
    const jobs = new Map<string, string>();
    while (![first, second].every((worker) => [...jobs.values()].some((id) => hasBegun(worker, id)))) {
      for (const [name, id] of await ask(1)) jobs.set(name, id);
      await reach(jobs, 20);
    }
    return jobs;
  }

  const hasBegun = ({ process }: Member, id: string): boolean =>
    process
      .stderr()
      .split('\n')
      .some((line) => line.includes(`"job":"${id}"`) && /job (started|taken over)/.test(line));
  const runs = (name: string): number => seenRuns(api.seen, limit).get(name)?.runs ?? 0;
  const timesAsked = (name: string, offset: number): number =>
    api.seen.filter(
      (path) => path === (offset === 0 ? `/${name}?limit=${limit}` : `/${name}?limit=${limit}&offset=${offset}`),
    ).length;

  /** Each has asked for this page. */
  async function reach(jobs: ReadonlyMap<string, string>, offset: number, times = 1): Promise<void> {
    await eventually(() => {
      for (const name of jobs.keys()) expect(timesAsked(name, offset), name).toBe(times);
    }, soon);
  }

  async function runningJobs({ process }: Member): Promise<number> {
    const page = await (await fetch(`${process.ops}/metrics`)).text();
    return Number(/^millrace_running_jobs(?:\{[^}]*\})? (\S+)$/m.exec(page)?.[1]);
  }

  /** All end in success, each in a run of this number, and each has its table once. */
  async function succeed(jobs: ReadonlyMap<string, string>, attempt = 1): Promise<void> {
    for (const [name, id] of jobs) {
      const look = async (): Promise<Job> => {
        const job = await cluster.api().call<Job>('GET', `/jobs/${id}`);
        if (!job.isFinished) throw new Error(`job ${id} is ${job.phase}`);
        return job;
      };
      expect(await eventually(look, soon)).toMatchObject({ status: 'success', attempt });
      await eventually(() => requireItems(cluster.api(), { tableId: `in.c-moving.${name}`, items, times: 1 }));
    }
  }

  it('J3: a catalog that is away for long begins no run anew, wherever the shares go', async () => {
    const gate = api.hold(20);
    const jobs = await askUntilBothRun();
    await cluster.catalog.kill();
    await sleep(longMs);
    await cluster.catalog.start();
    const later = await ask(1);
    await reach(later, 20);
    gate.open();
    await succeed(new Map([...jobs, ...later]));
    for (const name of jobs.keys()) expect(runs(name), name).toBe(1);
  });

  it.skipIf(leftOut('a table store that is away for long'))(
    'J3: a table store that is away for long begins no run anew',
    async () => {
      const gate = api.hold(20);
      const jobs = await askUntilBothRun();
      await cluster.tables.kill();
      gate.open();
      await sleep(longMs);
      await cluster.tables.start();
      await succeed(jobs);
      for (const name of jobs.keys()) expect(runs(name), name).toBe(1);
    },
  );

  it('J3, D10: who comes takes no job that runs, and who leaves hands its own over in time', async () => {
    const gate = api.hold(20);
    const jobs = await askUntilBothRun();
    const third = await cluster.worker('work-3');
    await third.start();
    const later = new Map<string, string>();
    while (![...later.values()].some((id) => hasBegun(third, id))) {
      for (const [name, id] of await ask(1)) later.set(name, id);
      await reach(later, 20);
    }
    // The shares have moved.
    await sleep(longMs);
    const all = new Map([...jobs, ...later]);
    const ofFirst = new Map([...all].filter(([, id]) => hasBegun(first, id)));
    const leaving = first.process;
    await first.leave();
    // It says whether it had handed over all before its time was over.
    expect(leaving.stderr()).toMatch(/"complete":true.*"msg":"process stopped"/);
    await reach(ofFirst, 20, 2);
    for (const name of all.keys()) expect(runs(name), name).toBe(ofFirst.has(name) ? 2 : 1);
    gate.open();
    await succeed(all);
    await third.leave();
    await first.start();
  });

  it('J3: a process that stood still asks for nothing and loads nothing of a job that was taken over', async () => {
    const page = api.hold(10);
    const jobs = await ask(1);
    await reach(jobs, 10);
    const [[name, id] = ['', '']] = jobs;
    // What a process says of it may come later than what it asks for.
    await eventually(() => expect([first, second].some((worker) => hasBegun(worker, id))).toBe(true), soon);
    const [zombie, other] = hasBegun(first, id) ? [first, second] : [second, first];
    await zombie.freeze();
    const last = api.hold(20);
    page.open();
    await last.reached;
    await eventually(() => expect(hasBegun(other, id)).toBe(true), soon);
    zombie.thaw();
    await eventually(async () => expect(await runningJobs(zombie)).toBe(0), soon);
    expect(timesAsked(name, 20)).toBe(1);
    last.open();
    await succeed(jobs, 2);
    expect(runs(name)).toBe(2);
  });
});
