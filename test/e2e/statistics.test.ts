import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import type { Shop } from '../support/shop.ts';
import { startTimedSender, taken } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

interface Level {
  readonly recordsCount: number;
  readonly deadLettersCount: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  readonly firstRecordAt?: string;
  readonly lastRecordAt?: string;
}

interface Statistics {
  readonly total: Level;
  readonly levels: { readonly local?: Level; readonly staging?: Level; readonly target?: Level };
}

interface File {
  readonly state: string;
  readonly openedAt: string;
  readonly importNumber?: number;
  readonly statistics: { readonly total: Level | null; readonly levels: Statistics['levels'] };
}

const waits = { uploadInterval: '30m', importCount: 10_000_000, importInterval: '24h' };
const empty = { recordsCount: 0, deadLettersCount: 0, compressedSize: 0, uncompressedSize: 0 };

const totalOf = (shop: Shop): Promise<Statistics> => shop.api.call('GET', `${shop.sink('orders')}/statistics/total`);
const filesOf = async (shop: Shop, query = ''): Promise<readonly File[]> =>
  (await shop.api.call<{ files: readonly File[] }>('GET', `${shop.sink('orders')}/statistics/files${query}`)).files;
const clear = (shop: Shop, path = shop.sink('orders')) => shop.api.call('DELETE', `${path}/statistics/clear`);

async function post(shop: Shop, ...bodies: readonly object[]): Promise<void> {
  const url = await shop.url();
  for (const body of bodies) {
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })).status).toBe(200);
  }
}

describe('statistics of a sink', () => {
  it('D4: count every record at its level, with exact bytes and times, from the accept to the table', async () => {
    const shop = installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }], { ...waits, uploadCount: 4 });
    expect(await totalOf(shop)).toEqual({ total: empty, levels: {} });
    const [{ openedAt: opened } = { openedAt: '' }, ...others] = await filesOf(shop);
    expect([opened, others]).toEqual([expect.stringMatching(/Z$/), []]);
    expect(await filesOf(shop)).toMatchObject([{ state: 'writing', statistics: { total: null, levels: {} } }]);

    const before = new Date().toISOString();
    await post(shop, { n: 1 }, { n: 2 }, { n: 3 });
    const local = await eventually(async () => {
      const { levels, total } = await totalOf(shop);
      expect(levels).toEqual({ local: total });
      expect(total).toMatchObject({ recordsCount: 3, deadLettersCount: 0 });
      expect(total.uncompressedSize).toBeGreaterThan(3 * 36);
      return total;
    });
    expect(local.compressedSize).toBe(local.uncompressedSize);
    const times = [before, local.firstRecordAt, local.lastRecordAt, new Date().toISOString()].map((at) => at ?? '');
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : 1)));

    await post(shop, { m: 'refused' });
    const staging = await eventually(async () => {
      const { levels, total } = await totalOf(shop);
      expect(levels).toEqual({ staging: total });
      return total;
    });
    expect(staging).toEqual({ ...local, deadLettersCount: 1, lastRecordAt: staging.lastRecordAt });
    expect(await filesOf(shop)).toMatchObject([
      { state: 'writing', openedAt: opened, statistics: { total: staging, levels: { staging } } },
    ]);

    await shop.flush('orders');
    expect(await totalOf(shop)).toEqual({ total: staging, levels: { target: staging } });
    expect(await shop.numbersIn('in.c-shop.orders')).toEqual([1, 2, 3]);
    expect(await filesOf(shop)).toMatchObject([
      { state: 'imported', importNumber: 1, openedAt: opened, statistics: { total: staging } },
      { state: 'writing', statistics: { total: null } },
    ]);

    await post(shop, { n: 4 });
    await eventually(async () => {
      const { levels, total } = await totalOf(shop);
      expect(levels).toMatchObject({ target: staging, local: { recordsCount: 1 } });
      expect(total.recordsCount).toBe(4);
      expect(total.uncompressedSize).toBe(staging.uncompressedSize + (levels.local?.uncompressedSize ?? 0));
      expect(levels.local?.uncompressedSize).toBeGreaterThan(36);
    });
  });

  it('clearing resets the table level alone; files list what was imported after it; conservation stays', async () => {
    const shop = installation.shop();
    expect(await clear(shop)).toEqual({});
    const { levels, total } = await totalOf(shop);
    expect(levels).toEqual({ local: total });
    expect(total.recordsCount).toBe(1);
    expect((await filesOf(shop)).map(({ state }) => state)).toEqual(['writing']);
    await shop.flush('orders');
    expect(await totalOf(shop)).toEqual({ total, levels: { target: total } });
    expect((await filesOf(shop)).map(({ state, importNumber }) => [state, importNumber])).toEqual([
      ['imported', 2],
      ['writing', undefined],
    ]);
    expect((await shop.progress('orders')).totals).toMatchObject({ accepted: 5, imported: 4, dead: 1, difference: 0 });
    expect(await clear(shop, shop.path)).toEqual({});
    expect(await totalOf(shop)).toEqual({ total: empty, levels: {} });
  });

  it('D4, D2: under load and over a kill, no record is counted twice, and none that was acknowledged is missing', async () => {
    const shop = installation.shop('busy');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-busy.orders' }]);
    const sender = startTimedSender({ url: await shop.url(), connections: 4, first: 1, pauseMs: 2 });
    let sent = 0;
    for (let round = 0; round < 30; round += 1) {
      const least = taken(sender.events).length;
      const { total, levels } = await totalOf(shop);
      sent = total.recordsCount;
      expect(sent).toBeGreaterThanOrEqual(least);
      // One may be on its way on each connection.
      expect(sent).toBeLessThanOrEqual(sender.events.length + 4);
      const parts = [levels.local, levels.staging, levels.target].map((level) => level?.recordsCount ?? 0);
      expect(parts.reduce((sum, part) => sum + part)).toBe(sent);
    }
    const events = taken(await sender.stop());
    await installation.stop('SIGKILL');
    await installation.start();
    await shop.flush('orders');
    const { total, levels } = await totalOf(shop);
    expect(levels).toEqual({ target: total });
    const stored = await shop.numbersIn('in.c-busy.orders');
    expect(total.recordsCount).toBe(stored.length);
    expect(stored.length).toBeGreaterThanOrEqual(events.length);
    const files = await filesOf(shop);
    const imported = files.filter(({ state }) => state === 'imported');
    const sum = (pick: (level: Level) => number): number =>
      imported.reduce((all, { statistics }) => all + (statistics.total === null ? 0 : pick(statistics.total)), 0);
    expect(sum((level) => level.recordsCount)).toBe(total.recordsCount);
    expect(sum((level) => level.uncompressedSize)).toBe(total.uncompressedSize);
  });
});
