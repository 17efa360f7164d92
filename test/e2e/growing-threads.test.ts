import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharesPlaces } from '../../src/listener/listen.ts';
import { rawPost, startLoader, type Loader } from '../bench/load/http-load.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { listenersAt } from '../support/listeners-at.ts';
import { startTimedSender, taken } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start({ env: { MILLRACE_THREADS: '2', MILLRACE_LEAST_INGEST_THREADS: '1' } });
});

afterAll(() => installation[Symbol.asyncDispose]());

/** More than one thread takes, over connections that are kept, until it is stopped; rejects when a request of it fails. */
async function flood(loader: Loader, url: URL): Promise<unknown> {
  const lines = Array.from({ length: 200 }, (_, at) => JSON.stringify({ at, text: 'x'.repeat(100) }));
  const body = Buffer.from(lines.join('\n'));
  const requests = [rawPost(url.pathname, body, ['Content-Type', 'application/x-ndjson'])];
  const { hostname: host, port } = url;
  const most = { durationMs: 300_000, warmUpMs: 0, awaitsAll: true };
  return loader.run({ host, port: Number(port), connections: 32, requests, ...most });
}

/** Share of the last second in which the event loop of a thread worked; undefined while there is no such thread. */
async function utilization(thread: string): Promise<number | undefined> {
  const page = await (await fetch(`${installation.process.admin}/metrics`)).text();
  const found = new RegExp(`^millrace_event_loop_utilization_ratio\\{thread="${thread}"\\} (.+)$`, 'm').exec(page)?.[1];
  return found === undefined ? undefined : Number(found);
}

describe.skipIf(!sharesPlaces)('a process that may have two threads to take events', () => {
  it('D1, D2, D3: begins the second when the first is busy: it gets its part of the connections, and nothing fails', async () => {
    const { MILLRACE_INGEST_PORT: port = '', MILLRACE_OTLP_GRPC_PORT: grpcPort = '' } = installation.env;
    expect([await listenersAt(port), await listenersAt(grpcPort)]).toEqual([1, 1]);
    expect(await utilization('ingest-2')).toBeUndefined();
    const shop = installation.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }], { uploadCount: 500 });
    const busy = installation.shop('busy');
    await busy.create([]);
    const sender = startTimedSender({ url: await shop.url(), connections: 8, pauseMs: 2 });
    await eventually(() => expect(taken(sender.events).length).toBeGreaterThan(100));
    await using loader = startLoader();
    const isBusy = () => eventually(async () => expect(await utilization('ingest-2')).toBeGreaterThan(0.2));
    await Promise.all([flood(loader, new URL(await busy.url())), isBusy().finally(() => loader.stop())]);
    expect([await listenersAt(port), await listenersAt(grpcPort)]).toEqual([2, 2]);
    const events = await sender.stop();
    expect(taken(events)).toHaveLength(events.length);
    await eventually(async () => expect(await shop.progress('orders')).toMatchObject({ delivered: true }));
    const rows = await shop.numbersIn('in.c-shop.orders');
    expectExactlyOnce(rows, events);
    expectConserved(await shop.progress('orders'), rows.length);
  });

  it('D10: ends in time, also before the second was needed', async () => {
    await installation.stop();
    await installation.start();
    const { MILLRACE_INGEST_PORT: port = '' } = installation.env;
    expect(await listenersAt(port)).toBe(1);
    expect((await fetch(`${installation.process.admin}/health/ready`)).status).toBe(200);
    const { child } = installation.process;
    await installation.stop();
    expect(child.exitCode).toBe(0);
    expect(await listenersAt(port)).toBe(0);
  });
});
