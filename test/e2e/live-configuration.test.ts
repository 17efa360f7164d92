import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import { postNumber } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

/** Runs the work and prints how long it took: D7 says two seconds, and a busy machine gets more before the test fails. */
async function measured(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  process.stderr.write(`D7: ${what} after ${Math.round(performance.now() - began)} ms\n`);
}

/** Before the intervals of who has set none: the shorter is of half a minute. */
const generous = { withinMs: 25_000 };

describe('a change takes effect in a running process', () => {
  it('D7: a new sink takes the first event after its task, and shows it as a row', async () => {
    const shop = installation.shop('fresh');
    await shop.create([]);
    const url = await shop.url();
    await postNumber({ url, number: 1 });
    await measured('a new sink has its first row', async () => {
      await shop.createSink({ sinkId: 'orders', tableId: 'in.c-fresh.orders' });
      await shop.set(shop.sink('orders'), { uploadCount: 1, importCount: 1 });
      expect(await postNumber({ url, number: 2 })).toMatchObject({ status: 200 });
      await eventually(async () => expect(await shop.numbersIn('in.c-fresh.orders')).toEqual([2]), generous);
    });
  });

  it('D7: a changed condition closes and imports what is waiting, and rules what comes after', async () => {
    const shop = installation.shop('changed');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-changed.orders' }], {
      uploadInterval: '30m',
      importInterval: '24h',
      uploadCount: 1000,
      importCount: 1000,
    });
    const url = await shop.url();
    for (const number of [1, 2, 3]) await postNumber({ url, number });
    await eventually(async () => {
      const { partitions, totals } = await shop.progress('orders');
      expect(totals).toMatchObject({ inFlight: 3, imported: 0 });
      expect(partitions[0]?.open).toBeDefined();
    });
    await measured('a changed condition has imported what waited', async () => {
      await shop.set(shop.sink('orders'), { importInterval: '23h' });
      await eventually(async () => expect(await shop.numbersIn('in.c-changed.orders')).toEqual([1, 2, 3]), generous);
    });
    await measured('a changed condition of the source rules its sinks', async () => {
      await postNumber({ url, number: 4 });
      await shop.set(shop.path, { uploadCount: 1, importCount: 1 });
      await eventually(async () => expect(await shop.numbersIn('in.c-changed.orders')).toEqual([1, 2, 3, 4]), generous);
    });
    await postNumber({ url, number: 5 });
    await eventually(
      async () => expect(await shop.numbersIn('in.c-changed.orders')).toEqual([1, 2, 3, 4, 5]),
      generous,
    );
  });

  it('D7: a disabled source refuses, an enabled one takes again, and its sinks follow', async () => {
    const shop = installation.shop('closing');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-closing.orders' }]);
    const url = await shop.url();
    expect(await postNumber({ url, number: 1 })).toMatchObject({ status: 200 });
    await measured('a disabled source refuses', async () => {
      await shop.api.task('PUT', `${shop.path}/disable`);
      await eventually(
        async () => expect(await postNumber({ url, number: 2 })).toMatchObject({ status: 404 }),
        generous,
      );
    });
    expect((await postNumber({ url, number: 2 })).body).toContain('stream.in.disabledSource');
    await measured('an enabled source takes events', async () => {
      await shop.api.task('PUT', `${shop.path}/enable`);
      await eventually(
        async () => expect(await postNumber({ url, number: 3 })).toMatchObject({ status: 200 }),
        generous,
      );
    });
    await eventually(async () => {
      const rows = await shop.numbersIn('in.c-closing.orders');
      expect(rows).toContain(1);
      expect(rows).toContain(3);
    }, generous);
    await measured('a deleted source is not found', async () => {
      await shop.api.task('DELETE', shop.path);
      await eventually(async () => {
        const answer = await postNumber({ url, number: 4 });
        expect(answer.status).toBe(404);
        expect(answer.body).toContain('stream.in.noSourceFound');
      }, generous);
    });
  });

  it('D7, A52: a source that becomes one of OpenTelemetry, and one of plain events again, has one door at a time', async () => {
    const shop = installation.shop('doors');
    await shop.create();
    const record = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'hello' } }] }] }] };
    const statuses = async (secret: string): Promise<readonly number[]> => {
      const path = `1/doors/${secret}`;
      const urls = [`/stream/${path}`, `/otlp/${path}/v1/logs`].map((at) => `${installation.process.ingest}${at}`);
      const headers = { 'Content-Type': 'application/json' };
      const post = (url: string) => fetch(url, { method: 'POST', headers, body: JSON.stringify(record) });
      return (await Promise.all(urls.map(post))).map(({ status }) => status);
    };
    const secretOf = async (): Promise<string> => {
      const { http, otlp } = await shop.api.call<{ http?: { url: string }; otlp?: { url: string } }>('GET', shop.path);
      return (http ?? otlp)?.url.split('/').at(-1) ?? '';
    };
    const secrets = [await secretOf()];
    expect(await statuses(secrets[0] ?? '')).toEqual([200, 404]);
    for (const [type, found] of [
      ['otlp', [404, 200]],
      ['http', [200, 404]],
    ] as const)
      await measured(`a source of type ${type} has its door`, async () => {
        await shop.api.task('PATCH', shop.path, { type });
        const secret = await secretOf();
        await eventually(async () => expect(await statuses(secret)).toEqual(found), generous);
        for (const earlier of secrets) expect(await statuses(earlier)).toEqual([404, 404]);
        secrets.push(secret);
      });
  });
});

describe('triggers', () => {
  it('D5: an interval closes a slice though no further event comes', async () => {
    const shop = installation.shop('idle');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-idle.orders' }], { uploadCount: 1000, importCount: 1 });
    await postNumber({ url: await shop.url(), number: 1 });
    await eventually(async () => expect(await shop.numbersIn('in.c-idle.orders')).toEqual([1]), generous);
  });

  it('D5: what is staged waits for the interval of step 2, and the page says until when', async () => {
    const shop = installation.shop('waiting');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-waiting.orders' }], {
      uploadCount: 1,
      importCount: 1000,
      importInterval: '10m',
    });
    await postNumber({ url: await shop.url(), number: 1 });
    const { staged } = await eventually(async () => {
      const progress = await shop.progress('orders');
      expect(progress.staged).toMatchObject({ slices: 1, rows: 1 });
      return progress;
    }, generous);
    expect(Date.parse(staged.nextImportAt ?? '') - Date.now()).toBeGreaterThan(300_000);
    expect(Date.parse(staged.nextImportAt ?? '') - Date.now()).toBeLessThanOrEqual(600_000);
    await shop.flush('orders');
    expect(await shop.numbersIn('in.c-waiting.orders')).toEqual([1]);
  });
});

describe('sync.wait', () => {
  it('D1: the answer is 200 when the source or any enabled sink wants to wait (A31), else 202; all of them are stored', async () => {
    const shop = installation.shop('waits');
    const tables = ['in.c-waits.a', 'in.c-waits.b'] as const;
    await shop.create([
      { sinkId: 'a', tableId: tables[0] },
      { sinkId: 'b', tableId: tables[1] },
    ]);
    const url = await shop.url();
    let number = 0;
    const answers = (status: number) =>
      eventually(
        async () => expect(await postNumber({ url, number: (number += 1) })).toMatchObject({ status }),
        generous,
      );
    await answers(200);
    await shop.set(shop.path, { syncWait: false });
    await answers(202);
    const verbose = await postNumber({ url: `${url}?verbose=true`, number: (number += 1) });
    expect(verbose).toMatchObject({ status: 202 });
    expect(JSON.parse(verbose.body)).toMatchObject({ statusCode: 202, message: 'accepted' });
    await shop.set(shop.sink('b'), { syncWait: true });
    await answers(200);
    await shop.api.task('PUT', `${shop.sink('b')}/disable`);
    await answers(202);
    await shop.api.task('PUT', `${shop.sink('b')}/enable`);
    await answers(200);
    await shop.flush('a');
    expect(await shop.numbersIn(tables[0])).toEqual(Array.from({ length: number }, (_, index) => index + 1));
  });
});
