import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { postNumber, startTimedSender, taken } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

describe('A32: a source without sinks keeps its events', () => {
  it('D2, D3: a sink that begins with the earliest gets all of them once, while one at the head goes on', async () => {
    const shop = installation.shop();
    await shop.create([]);
    const url = await shop.url();
    const verbose = await postNumber({ url: `${url}?verbose=true`, number: 1 });
    expect(JSON.parse(verbose.body)).toMatchObject({ statusCode: 200, message: 'No enabled sink found.' });
    const early = startTimedSender({ url, connections: 8, first: 2, padBytes: 1000 });
    await eventually(() => expect(early.events.length).toBeGreaterThan(4000), { withinMs: 120_000 });
    const old = [verbose, ...(await early.stop())];

    await shop.createSink({ sinkId: 'head', tableId: 'in.c-shop.head' });
    const late = startTimedSender({ url, connections: 2, first: 1_000_000, pauseMs: 5 });
    await eventually(async () => expect((await shop.progress('head')).totals.imported).toBeGreaterThan(0));
    await shop.createSink({ sinkId: 'all', tableId: 'in.c-shop.all', backfill: 'earliest' });
    const { imported } = (await shop.progress('head')).totals;
    await eventually(async () => expect((await shop.progress('head')).totals.imported).toBeGreaterThan(imported));
    await eventually(async () =>
      expect((await shop.progress('all')).totals.imported).toBeGreaterThan(taken(old).length),
    );
    const fresh = await late.stop();
    await shop.flush('head');
    await shop.flush('all');
    const [head, all] = [await shop.numbersIn('in.c-shop.head'), await shop.numbersIn('in.c-shop.all')];
    expectExactlyOnce(head, fresh);
    expectExactlyOnce(all, [...old, ...fresh]);
    expectConserved(await shop.progress('head'), head.length);
    expectConserved(await shop.progress('all'), all.length);
  });
});
