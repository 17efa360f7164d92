import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { rootToken } from '../support/installation.ts';
import { isPostgresToKillMissing, startPostgres, type StartedPostgres } from '../support/postgres.ts';
import type { ProductProcess } from '../support/process.ts';
import { Shop } from '../support/shop.ts';
import { postNumber, startTimedSender, taken } from '../support/timed-sender.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const order = join(tmpdir(), `millrace-order-${process.pid}`);
const threads = 2;

describe.skipIf(missing !== undefined || (await isPostgresToKillMissing()))('threads that take events', () => {
  let cluster: Cluster;
  let catalog: StartedPostgres;
  let ingest: ProductProcess;
  let others: ProductProcess;

  beforeAll(async () => {
    [cluster, catalog] = await Promise.all([openCluster(), startPostgres()]);
    const env = {
      CATALOG_URL: (await catalog.createDatabase()).reveal(),
      MILLRACE_THREADS: String(threads),
      MILLRACE_LEAST_INGEST_THREADS: String(threads),
    };
    ingest = await cluster.start('ingest', { ...env, HANG_ORDER: order }, 'hanging-process');
    others = await cluster.start('admin,map,stage,import', { ...env, MILLRACE_PUBLIC_INGEST_URL: ingest.ingest });
  });

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await catalog[Symbol.asyncDispose]();
    rmSync(order, { force: true });
  });

  /** By number: each over a connection of its own, so that all threads take some. */
  async function statuses(url: string, first: number): Promise<ReadonlySet<number | undefined>> {
    const numbers = Array.from({ length: 40 }, (_, at) => first + at);
    const sent = await Promise.all(numbers.map((number) => postNumber({ url, number, agent: new Agent() })));
    return new Set(sent.map(({ status }) => status));
  }

  /** Threads that ended, as the process counts them. */
  async function failures(): Promise<number> {
    const page = await (await fetch(`${ingest.ops}/metrics`)).text();
    const lines = page.matchAll(/^millrace_service_failures_total\{[^}]*ingest[^}]*\} (\d+)/gm);
    return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  it('D2, D7: go on with the sources that are known, also one that takes the place of another while the catalog is away', async () => {
    const shop = new Shop({ url: others.admin, token: rootToken });
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }], { uploadCount: 100 });
    const url = await shop.url();
    const sender = startTimedSender({ url, connections: 8, pauseMs: 5 });
    await eventually(() => expect(taken(sender.events).length).toBeGreaterThan(100));
    await catalog.stop();
    for (let deaths = 1; deaths <= threads; deaths += 1) {
      writeFileSync(order, 'ingest death');
      await eventually(() => expect(existsSync(order)).toBe(false));
      // The thread says why it ends before the process knows that it has ended.
      await eventually(async () => expect(await failures()).toBe(deaths));
      // With less than all of its threads it is not ready.
      await eventually(async () => expect((await fetch(`${ingest.ops}/health/ready`)).status).toBe(200));
    }
    expect(await statuses(url, 1_000_000)).toEqual(new Set([200]));
    const events = await sender.stop();
    await catalog.start();
    // What follows is learnt from the catalog: a source more, and one that is disabled.
    const later = new Shop({ url: others.admin, token: rootToken }, 'later');
    await eventually(() => later.create(), { everyMs: 500 });
    await eventually(async () => expect(await statuses(await later.url(), 1)).toEqual(new Set([200])));
    await eventually(() => shop.flush('orders'));
    const rows = await shop.numbersIn('in.c-shop.orders');
    expectExactlyOnce(
      rows.filter((number) => number < 1_000_000),
      events,
    );
    expect(rows.filter((number) => number >= 1_000_000)).toHaveLength(40);
    expectConserved(await shop.progress('orders'), rows.length);
    await shop.api.task('PUT', `${shop.path}/disable`);
    await eventually(async () => expect(await statuses(url, 2_000_000)).toEqual(new Set([404])));
  });
});
