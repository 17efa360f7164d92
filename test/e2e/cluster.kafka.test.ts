import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { rootToken } from '../support/installation.ts';
import { runMillrace } from '../support/run-millrace.ts';
import { Shop } from '../support/shop.ts';
import { postNumber, startTimedSender, taken } from '../support/timed-sender.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

describe.skipIf(missing !== undefined)('a cluster on real servers', () => {
  let cluster: Cluster;
  let front: Awaited<ReturnType<Cluster['start']>>;

  beforeAll(async () => {
    cluster = await openCluster();
  });

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  it('D7: the process that makes a source takes its events as soon as the task has ended', async () => {
    front = await cluster.start('admin,ingest');
    for (const sourceId of ['one', 'two', 'three', 'four', 'five']) {
      const shop = new Shop({ url: front.admin, token: rootToken }, sourceId);
      await shop.create();
      expect(await postNumber({ url: await shop.url(), number: 1 })).toMatchObject({ status: 200 });
    }
  });

  it('D2, D3: roles apart deliver each event to each table exactly once', async () => {
    await cluster.start('map');
    await cluster.start('stage,import');
    const shop = new Shop({ url: front.admin, token: rootToken });
    const sinks = ['first', 'second'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
    await shop.create(sinks, { uploadCount: 100 });
    const sender = startTimedSender({ url: await shop.url(), connections: 4, pauseMs: 2 });
    await eventually(async () => expect(taken(sender.events).length).toBeGreaterThan(1000));
    const events = await sender.stop();
    expect(taken(events)).toHaveLength(events.length);
    for (const { sinkId, tableId } of sinks) {
      await shop.flush(sinkId);
      const rows = await shop.numbersIn(tableId);
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress(sinkId), rows.length);
    }
  });

  it('D2: a process whose topology leads to another store than that of the others does not start, and says both', async () => {
    const text = await readFile(cluster.topology, 'utf8');
    const path = `${cluster.topology}.astray`;
    await writeFile(path, text.replace(cluster.prefix, 'astray/'));
    const start = ['start', '--topology', path, '--role', 'stage'];
    const env = { ...cluster.secrets, MILLRACE_DATA_DIR: `${path}-data`, MILLRACE_OPS_PORT: '0' };
    const { code, stderr } = await runMillrace(start, { env });
    expect(stderr).toMatch(/"staging" of this process is bucket "[^"]+", prefix "astray\/"/);
    expect(stderr).toContain(`prefix "${cluster.prefix}"`);
    expect(stderr).toContain('millrace claim');
    expect(code).toBe(1);
  });
});
