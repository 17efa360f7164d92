import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOtlpSender } from '../chaos/otlp/otlp-sender.ts';
import { createTelemetry, telemetrySinkPath, telemetrySinks } from '../chaos/otlp/telemetry.ts';
import { verifyTelemetry } from '../chaos/otlp/verify-telemetry.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { isLong } from '../support/long-tests.ts';
import { msOf } from '../support/one-in-time.ts';
import type { ProductProcess } from '../support/process.ts';
import { startTimedSender, taken } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

/** What a process says of its readiness until it is gone. */
async function readiness(admin: string): Promise<readonly number[]> {
  const seen = new Set<number>();
  for (;;) {
    try {
      seen.add((await fetch(`${admin}/health/ready`)).status);
    } catch {
      return [...seen];
    }
  }
}

/** It says so when its time was over before its work. */
function expectInTime(process: ProductProcess): void {
  expect(process.stderr()).not.toContain('"msg":"process stopped"');
}

describe('SIGTERM under load', () => {
  it('D10: is not ready, refuses new events, ends with 0 in time, and loses and doubles nothing', async () => {
    const shop = installation.shop();
    const sinks = ['first', 'second'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
    await shop.create(sinks, { uploadCount: 300, uploadInterval: '30s', importCount: 900 });
    const { admin } = installation.process;
    expect((await fetch(`${admin}/health/ready`)).status).toBe(200);
    const sender = startTimedSender({ url: await shop.url(), connections: 16, padBytes: 500 });
    await eventually(() => expect(sender.events.length).toBeGreaterThan(2000));
    const { process } = installation;
    const ended = installation.stop('SIGTERM');
    const watching = readiness(admin);
    expect(await ended).toBe('0');
    expectInTime(process);
    expect(await watching).toContain(503);
    const events = await sender.stop();
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
  });

  it('D10: with four threads that take events over HTTP and gRPC it ends with 0 in time, and loses and doubles nothing', async () => {
    await using many = await Installation.start({ env: { MILLRACE_THREADS: '4' } });
    const shop = many.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }], { uploadCount: 300, importCount: 900 });
    const telemetry = await createTelemetry(shop.api);
    const sender = startTimedSender({ url: await shop.url(), connections: 16, padBytes: 500, pauseMs: 1 });
    const { path, secret } = telemetry;
    const grpcPort = Number(new URL(many.process.otlpGrpc).port);
    const otlp = startOtlpSender({ url: `${many.process.ingest}${path}`, secret, grpcPort, pauseMs: 1, lanes: 4 });
    for (let drains = 0; drains < (isLong ? 10 : 1); drains += 1) {
      const before = { events: taken(sender.events).length, calls: otlp.acknowledged.gRPC };
      await eventually(() => expect(taken(sender.events).length).toBeGreaterThan(before.events + 500));
      await eventually(() => expect(otlp.acknowledged.gRPC).toBeGreaterThan(before.calls + 100));
      const how = many.stop('SIGTERM');
      const watching = readiness(many.process.admin);
      expect(await how, many.process.stderr()).toBe('0');
      expectInTime(many.process);
      expect(await watching).toContain(503);
      expect(many.process.stderr()).not.toContain('"level":50');
      await many.start();
    }
    const [events, told] = [await sender.stop(), await otlp.stop()];
    const refused = events.filter(({ status }) => status !== undefined && status >= 300);
    expect(refused.every(({ status, retryAfter }) => status === 503 && retryAfter !== undefined)).toBe(true);
    await shop.flush('orders');
    const rows = await shop.numbersIn('in.c-shop.orders');
    expectExactlyOnce(rows, events);
    expectConserved(await shop.progress('orders'), rows.length);
    for (const sink of telemetrySinks) await shop.api.task('POST', `${telemetrySinkPath(sink)}/flush`);
    expect((await verifyTelemetry(shop.api, told)).acknowledged).toBeGreaterThan(200);
  });

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
    // Other processes have half a minute.
    expect(await msOf(async () => expect(await hurried.stop('SIGTERM')).toBe('0'))).toBeLessThan(25_000);
    expect(hurried.process.stderr()).not.toContain('"sink stopped"');
    await hurried.start();
    await shop.flush('orders');
    const rows = await shop.numbersIn('in.c-backlog.orders');
    expect(rows).toEqual(Array.from({ length: count }, (_, index) => index));
    expectConserved(await shop.progress('orders'), count);
  });

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
  });
});
