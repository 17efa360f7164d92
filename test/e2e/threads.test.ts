import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharesPlaces } from '../../src/listener/listen.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { lastingPort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { listenersAt } from '../support/listeners-at.ts';
import { startProcess } from '../support/process.ts';
import { numberColumns } from '../support/shop.ts';
import { postNumber, startTimedSender, taken } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  const bounds = { MILLRACE_MAX_CONNECTIONS_PER_ADDRESS: '60', MILLRACE_MAX_BUFFERED_BYTES: '8MB' };
  installation = await Installation.start({ env: { MILLRACE_THREADS: '2', ...bounds } });
});

afterAll(() => installation[Symbol.asyncDispose]());

const tableId = 'in.c-shop.orders';
const sinks = [{ sinkId: 'orders', tableId }];

describe('a process with two threads for each role', () => {
  it('D2, D3: takes events in both, and maps, stages and imports each of them once', async () => {
    const { MILLRACE_INGEST_PORT: port = '', MILLRACE_OTLP_GRPC_PORT: grpcPort = '' } = installation.env;
    expect([await listenersAt(port), await listenersAt(grpcPort)]).toEqual(
      sharesPlaces ? [2, 2] : [undefined, undefined],
    );
    const shop = installation.shop();
    await shop.create(sinks, { uploadCount: 200 });
    const sender = startTimedSender({ url: await shop.url(), connections: 32 });
    await eventually(() => expect(taken(sender.events).length).toBeGreaterThan(3000));
    const events = await sender.stop();
    expect(taken(events)).toHaveLength(events.length);
    await eventually(async () => expect(await shop.progress('orders')).toMatchObject({ delivered: true }));
    const rows = await shop.numbersIn(tableId);
    expectExactlyOnce(rows, events);
    expectConserved(await shop.progress('orders'), rows.length);
    const page = await (await fetch(`${installation.process.admin}/metrics`)).text();
    for (const thread of ['ingest', 'ingest-2', 'map', 'map-2', 'stage', 'stage-2'])
      expect(page).toContain(`millrace_event_loop_utilization_ratio{thread="${thread}"}`);
    const counted = /^millrace_ingest_events_total\{.*source="shop".*\} ([0-9]+)$/m.exec(page)?.[1];
    expect(Number(counted)).toBe(events.length);
  });

  it('D9: takes no event of a source behind the task that disables it, in no thread', async () => {
    const shop = installation.shop('closing');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-closing.orders' }]);
    const sender = startTimedSender({ url: await shop.url(), connections: 32, pauseMs: 1 });
    await eventually(() => expect(taken(sender.events).length).toBeGreaterThan(100));
    await shop.api.task('PUT', '/v1/branches/default/sources/closing/disable');
    const disabledAt = performance.now();
    await eventually(() =>
      expect(sender.events.filter(({ startedAt }) => startedAt > disabledAt).length).toBeGreaterThan(100),
    );
    const events = await sender.stop();
    expect(taken(events.filter(({ startedAt }) => startedAt > disabledAt))).toEqual([]);
    await shop.api.task('PUT', '/v1/branches/default/sources/closing/enable');
    await eventually(async () => expect(await shop.progress('orders')).toMatchObject({ delivered: true }));
    expectExactlyOnce(await shop.numbersIn('in.c-closing.orders'), events);
  });

  it('shares its ports with no other process, though its threads share them', async () => {
    const { MILLRACE_INGEST_PORT = '' } = installation.env;
    const env = { ...installation.env, MILLRACE_DATA_DIR: `${installation.folder}/other`, MILLRACE_ADMIN_PORT: '0' };
    await expect(startProcess({ env })).rejects.toThrow(
      `ingest cannot listen on 127.0.0.1:${MILLRACE_INGEST_PORT}: the port is taken by another process`,
    );
  });

  it('D8: bounds connections of an address as one process, however the system shares them out', async () => {
    const { port } = new URL(installation.process.ingest);
    const open = async (): Promise<Socket> => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      // Its thread has seen it when it answers, or ends it.
      socket.write('OPTIONS /stream/1/none/none HTTP/1.1\r\nHost: x\r\n\r\n');
      await new Promise((resolve) => void socket.once('data', resolve).once('close', resolve));
      return socket;
    };
    const taken: Socket[] = [];
    for (let at = 0; at < 60; at += 1) taken.push(await open());
    expect(taken.filter(({ destroyed }) => destroyed)).toEqual([]);
    expect((await open()).destroyed).toBe(true);
    taken.pop()?.destroy();
    await eventually(async () => {
      const one = await open();
      taken.push(one);
      expect(one.destroyed).toBe(false);
    });
    for (const socket of taken) socket.destroy();
  });

  it('D8: takes a request that fits into the memory of all threads, and not into the share of one', async () => {
    const shop = installation.shop('telemetry');
    await shop.create([], {}, 'otlp');
    const { otlp } = await shop.api.call<{ otlp: { url: string } }>('GET', shop.path);
    const logRecords = Array.from({ length: 1600 }, (_, at) => ({ body: { stringValue: `${at} `.padEnd(1000, 'x') } }));
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${otlp.url}/v1/logs`, { method: 'POST', headers, body })).status).toBe(200);
  });

  it('two processes that start at once never share a port', async () => {
    const port = String(await lastingPort());
    const env = { MILLRACE_THREADS: '2', MILLRACE_INGEST_PORT: port };
    const both = await Promise.allSettled([Installation.start({ env }), Installation.start({ env })]);
    const started = both.filter((one) => one.status === 'fulfilled');
    await Promise.all(started.map(({ value }) => value[Symbol.asyncDispose]()));
    expect(started).toHaveLength(1);
    expect(String(both.find((one) => one.status === 'rejected')?.reason)).toContain(
      `ingest cannot listen on 127.0.0.1:${port}: the port is taken by another process`,
    );
  });

  it('A62: the rows of a source with one partition are in the order of its events, whatever thread takes them', async () => {
    const shop = installation.shop('ledger');
    const api = shop.api;
    const table = { tableId: 'in.c-ledger.entries', mapping: { columns: numberColumns } };
    const sink = { name: 'entries', sinkId: 'entries', table };
    const body = { type: 'http', name: 'Ledger', sourceId: 'ledger', partitions: 1, sinks: [sink] };
    await api.task('POST', '/v1/branches/default/sources', body);
    const url = await shop.url();
    // Each over a connection of its own, so that both threads take some.
    for (let number = 1; number <= 60; number += 1)
      expect(await postNumber({ url, number, agent: new Agent() })).toMatchObject({ status: 200 });
    await shop.flush('entries');
    const rows = await api.rows(table.tableId);
    expect(rows.map((row) => Number(row['n']))).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
  });
});
