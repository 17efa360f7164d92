import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { startTimedSender, taken } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

describe('SIGTERM under load', () => {
  it('D10: is not ready, refuses new events, ends with 0 in time, and loses and doubles nothing', async () => {
    const shop = installation.shop();
    const sinks = ['first', 'second'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
    await shop.create(sinks, { uploadCount: 300, uploadInterval: '30s', importCount: 900 });
    const { admin } = installation.process;
    expect((await fetch(`${admin}/health/ready`)).status).toBe(200);
    const sender = startTimedSender({ url: await shop.url(), connections: 16, padBytes: 500 });
    await eventually(() => expect(sender.events.length).toBeGreaterThan(2000));
    const began = performance.now();
    const ended = installation.stop('SIGTERM');
    const seen = new Set<number>();
    const watching = (async () => {
      for (let isUp = true; isUp;) {
        try {
          seen.add((await fetch(`${admin}/health/ready`)).status);
        } catch {
          isUp = false;
        }
      }
    })();
    expect(await ended).toBe('0');
    expect(performance.now() - began).toBeLessThan(30_000);
    await watching;
    const events = await sender.stop();
    expect([...seen]).toContain(503);
    const refused = events.filter(({ status }) => status !== undefined && status >= 300);
    expect(refused.every(({ status, retryAfter }) => status === 503 && retryAfter !== undefined)).toBe(true);
    expect(taken(events).length).toBeGreaterThan(2000);

    await installation.start();
    for (const { sinkId, tableId } of sinks) {
      await shop.flush(sinkId);
      const rows = await shop.numbersIn(tableId);
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress(sinkId), rows.length);
    }
  }, 60_000);

  it('D10: leaves with 0 at its deadline when there is more to do than time; the rest is delivered after the start', async () => {
    await using hurried = await Installation.start({ env: { MILLRACE_DRAIN_TIMEOUT: '1s' } });
    const shop = hurried.shop('backlog');
    await shop.create([], { uploadCount: 10_000, importCount: 50_000 });
    const url = await shop.url();
    const count = 60_000;
    for (let first = 0; first < count; first += 5000) {
      const lines = Array.from({ length: 5000 }, (_, index) => `{"n":${first + index}}`).join('\n');
      const headers = { 'Content-Type': 'application/x-ndjson' };
      expect((await fetch(url, { method: 'POST', body: lines, headers })).status).toBe(200);
    }
    await shop.createSink({ sinkId: 'orders', tableId: 'in.c-backlog.orders', backfill: 'earliest' });
    const began = performance.now();
    expect(await hurried.stop('SIGTERM')).toBe('0');
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(hurried.process.stderr()).not.toContain('"sink stopped"');
    await hurried.start();
    await shop.flush('orders');
    const rows = await shop.numbersIn('in.c-backlog.orders');
    expect(rows).toEqual(Array.from({ length: count }, (_, index) => index));
    expectConserved(await shop.progress('orders'), count);
  }, 60_000);

  it('D10: closes its slices: what a drained process accepted is staged, none of it only in the log', async () => {
    const shop = installation.shop('staged');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-staged.orders' }], {
      uploadCount: 100_000,
      uploadInterval: '30m',
      importCount: 100_000,
    });
    const sender = startTimedSender({ url: await shop.url(), connections: 4 });
    await eventually(() => expect(sender.events.length).toBeGreaterThan(200));
    const events = await sender.stop();
    expect(await installation.stop('SIGTERM')).toBe('0');
    await installation.start();
    expect((await shop.progress('orders')).totals).toMatchObject({
      accepted: taken(events).length,
      staged: taken(events).length,
      inFlight: 0,
    });
    await shop.flush('orders');
    expectExactlyOnce(await shop.numbersIn('in.c-staged.orders'), events);
  }, 60_000);
});
