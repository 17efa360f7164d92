import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { MachinePauses } from '../support/machine-pauses.ts';
import { openFilesCommand } from '../support/process.ts';
import { RawClient } from '../support/raw-client.ts';
import type { Shop } from '../support/shop.ts';
import { TemporaryDisk } from '../support/temporary-disk.ts';
import { startTimedSender, type SentEvent } from '../support/timed-sender.ts';
import { packed, unpacked } from './packed.ts';

let folder: string;
let launcher: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-hostile-'));
  const installed = await unpacked(await packed(folder), folder);
  await symlink(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(installed, 'node_modules'));
  launcher = join(installed, 'bin/millrace.cjs');
}, 300_000);

afterAll(() => rm(folder, { recursive: true }));

const mebibyte = 1024 * 1024;
/** Of three minutes that a test has. */
const patient = { withinMs: 100_000 };

async function shopOf(installation: Installation): Promise<Shop> {
  const shop = installation.shop();
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
  return shop;
}

async function expectDelivered(shop: Shop, events: readonly SentEvent[]): Promise<void> {
  await eventually(() => shop.flush('orders'), patient);
  const rows = await shop.numbersIn('in.c-shop.orders');
  expectExactlyOnce(rows, events);
}

const portOf = (url: string): number => Number(new URL(url).port);

/** A request as a text, over whose path, headers and body the sender decides. */
function post(url: string, { query = '', headers = [], body = '' }: Hostile): string {
  const { pathname, host } = new URL(url);
  const lines = [`POST ${pathname}${query} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${body.length}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

interface Hostile {
  readonly query?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

const sources = '/v1/branches/default/sources';

/** Each takes a cell seconds where steps do not cost what the work costs. */
const costly = [
  '{ [std.toString(n)]: n for n in std.range(1, 200000) }',
  'std.setUnion(std.range(1, 400000), std.range(200000, 900000))',
  'local s = std.repeat("a", 4000000); [s + x == s + "b" for x in ["a", "c", "d", "e"]]',
  'std.flattenArrays([std.range(1, 100000) for _ in std.range(1, 90)])',
  'local f(n) = f(n + 1) tailstrict; f(0)',
].flatMap((content) => Array.from({ length: 20 }, () => content));

/** As large as may be, or larger; each is refused. */
function largeBodies(): readonly string[] {
  const list = (count: number, of: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => of(at)).join(',');
  const source = (fields: string): string => `{"type":"http","name":"x",${fields}}`;
  const wrongColumns = Array.from({ length: 100 }, () => ({ type: 'nope', path: 1, rawString: 1, template: {} }));
  const wrongSink = JSON.stringify({ name: 'k', table: { tableId: 't', mapping: { columns: wrongColumns } } });
  return [
    source(`"other":${'['.repeat(2_000_000)}`),
    source(`"other":{${list(95_000, (at) => `"k${at}":1`)}}`),
    source(`"other":{${list(90_000, (at) => String.raw`"\u0041${at}":1`)}}`),
    source(`"other":[${list(1_000_000, String)}]`),
    source(`"sinks":[${list(200_000, () => '{}')}]`),
    source(`"sinks":[${list(100, () => wrongSink)}]`),
    source(`"sinks":[{"name":"k","allowedSignals":[${list(90_000, () => '"x"')}]}]`),
  ].map((body) => body.slice(0, 4 * mebibyte));
}

async function post200(
  url: string,
  event: object = { n: 0 },
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const all = { 'Content-Type': 'application/json', ...headers };
  expect((await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(event) })).status).toBe(200);
}

/** What others send is answered within a second, beside what the machine stands still for whoever sends, and for whoever answers. */
async function expectQuick(events: readonly SentEvent[], pauses: MachinePauses): Promise<void> {
  expect(events.length).toBeGreaterThan(20);
  const longestMs = Math.max(...events.map(({ startedAt, endedAt }) => endedAt - startedAt));
  expect(longestMs).toBeLessThan(1_000 + 2 * (await pauses.stop()));
}

/** Bytes of memory that a process has. */
function memoryOf({ process: { child } }: Installation): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

describe('the installed package under hostile senders', { timeout: 400_000 }, () => {
  const disk = TemporaryDisk.mount(128);

  it.skipIf(disk === undefined)(
    'D8, L1: a disk that is filled again and again ends no process, and takes no acknowledged event with it',
    async () => {
      await using installation = await Installation.start({ folder: disk?.path ?? '', launcher });
      const { pid } = installation.process.child;
      const shop = await shopOf(installation);
      const sender = startTimedSender({ url: await shop.url(), connections: 6, padBytes: 40_000 });
      const ballast = join(disk?.path ?? '', 'ballast');
      const answers = async (status: number): Promise<void> => {
        const from = sender.events.length;
        await eventually(
          () => expect(sender.events.slice(from).filter((event) => event.status === status).length).toBeGreaterThan(20),
          patient,
        );
      };
      let size = 128;
      for (let round = 0; round < 5; round += 1) {
        fill(ballast);
        await answers(503);
        expect((await fetch(`${installation.process.admin}/health/live`)).status).toBe(200);
        rmSync(ballast);
        disk?.resize((size += 128));
        await answers(200);
      }
      const events = await sender.stop();
      expect([installation.process.child.pid, installation.process.child.exitCode]).toEqual([pid, null]);
      await expectDelivered(shop, events);
      const rows = await shop.numbersIn('in.c-shop.orders');
      expectConserved(await shop.progress('orders'), rows.length);
      expect(await installation.stop('SIGTERM')).toBe('0');
    },
  );
  afterAll(() => disk?.[Symbol.dispose]());

  it('D8: headers times lines of a batch are refused before anything is made of them, and hold up nobody', async () => {
    await using installation = await Installation.start({ launcher });
    const shop = await shopOf(installation);
    const url = await shop.url();
    await using pauses = new MachinePauses();
    const sender = startTimedSender({ url, connections: 2, pauseMs: 5 });
    const headers = Array.from({ length: 2_400 }, (_, at) => `a${at}: 1`);
    const statuses = new Set<number | undefined>();
    for (let request = 0; request < 200; request += 1) {
      using client = await RawClient.connect(portOf(url));
      await client.send(post(url, { query: '?batch=lines', headers, body: '1\n'.repeat(10_000) }));
      statuses.add((await client.answer())?.status);
    }
    expect([...statuses].every((status) => status === 413 || status === 431)).toBe(true);
    const events = await sender.stop();
    await expectQuick(events, pauses);
    await expectDelivered(shop, events);
  });

  it.runIf(existsSync('/proc/self/status'))(
    'D8: answers that nobody reads are no memory, and others are answered meanwhile',
    async () => {
      await using installation = await Installation.start({ launcher, env: { MILLRACE_MAX_BUFFERED_BYTES: '32MB' } });
      const shop = await shopOf(installation);
      const url = await shop.url();
      const before = memoryOf(installation);
      const sender = startTimedSender({ url, connections: 2, pauseMs: 5 });
      const batch = post(url, { query: '?batch=lines&verbose=true', body: '{"n":0}\n'.repeat(2_000) });
      const clients: RawClient[] = [];
      let most = 0;
      for (let opened = 0; opened < 120; opened += 1) {
        const client = await RawClient.connect(portOf(url));
        client.pause();
        clients.push(client);
        await Promise.race([client.send(batch.repeat(20)), new Promise((resolve) => setTimeout(resolve, 50))]);
        most = Math.max(most, memoryOf(installation));
      }
      // 4.8 million answers of a hundred bytes are asked for.
      expect((most - before) / mebibyte).toBeLessThan(200);
      expect((await fetch(`${installation.process.admin}/health/live`)).status).toBe(200);
      for (const client of clients) client.reset();
      const from = sender.events.length;
      await eventually(() => expect(sender.events.slice(from).some(({ status }) => status === 200)).toBe(true));
      await sender.stop();
    },
  );

  it.runIf(existsSync(openFilesCommand))(
    'D8: connections that send nothing take neither the files of the process nor the admin listener',
    async () => {
      await using installation = await Installation.start({ launcher, openFiles: 400 });
      const { admin, ingest } = installation.process;
      const idle: RawClient[] = [];
      for (let opened = 0; opened < 1_500; opened += 1) idle.push(await RawClient.connect(portOf(ingest)));
      expect((await fetch(`${admin}/health/ready`)).status).toBe(200);
      await eventually(async () => expect((await fetch(`${ingest}/health-check`)).status).toBe(200));
      for (const client of idle) client.reset();
    },
  );

  it('D8: templates that cost what they may hold up neither those who send nor those who look', async () => {
    await using installation = await Installation.start({ launcher });
    const shop = await shopOf(installation);
    const { api } = shop;
    const columns = costly.map((content, at) => ({
      type: 'template',
      name: `c${at}`,
      template: { language: 'jsonnet', content },
    }));
    const sinks = [{ name: 'k', table: { tableId: 'in.c-costly.k', mapping: { columns } } }];
    await api.task('POST', sources, { type: 'http', name: 'costly', sinks });
    const costlyShop = installation.shop('costly');
    await using pauses = new MachinePauses();
    const sender = startTimedSender({ url: await shop.url(), connections: 2, pauseMs: 5 });
    await post200(await costlyShop.url());
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      statuses.push((await api.request('POST', `${costlyShop.path}/test`, { a: 1 })).status);
      expect((await fetch(`${installation.process.admin}/metrics`)).status).toBe(200);
    }
    expect(statuses).toEqual([422, 422, 422]);
    const events = await sender.stop();
    await expectQuick(events, pauses);
    await expectDelivered(shop, events);
    await costlyShop.flush('k');
    expectConserved(await costlyShop.progress('k'), 0, 1);
  });

  it('D8: bodies of the API that take a parser or a schema seconds hold up nobody', async () => {
    await using installation = await Installation.start({ launcher });
    const shop = await shopOf(installation);
    // Made before: it holds this process up.
    const bodies = largeBodies();
    await using pauses = new MachinePauses();
    const sender = startTimedSender({ url: await shop.url(), connections: 2, pauseMs: 5 });
    for (const body of bodies) {
      const headers = { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/json' };
      const answer = await fetch(installation.process.admin + sources, { method: 'POST', headers, body });
      expect([answer.status, (await answer.text()).length < 10_000]).toEqual([400, true]);
    }
    const events = await sender.stop();
    await expectQuick(events, pauses);
    await expectDelivered(shop, events);
  });

  it('pages of the operator are read under names of this machine alone, and what is stored by its owner alone', async () => {
    await using installation = await Installation.start({ launcher });
    const shop = await shopOf(installation);
    await post200(await shop.url());
    for (const [page, host, status] of [
      ['/metrics', 'page.example', 403],
      ['/health/ready', 'page.example:8000', 403],
      ['/metrics', 'localhost', 200],
      ['/health/live', '127.0.0.1', 200],
    ] as const) {
      using client = await RawClient.connect(portOf(installation.process.admin));
      await client.send(`GET ${page} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://page.example\r\n\r\n`);
      const answer = await client.answer();
      expect([page, host, answer?.status, answer?.headers.get('access-control-allow-origin')]).toEqual([
        page,
        host,
        status,
        undefined,
      ]);
    }
    const written = readdirSync(installation.folder, { recursive: true, encoding: 'utf8' });
    expect(written).toContain('tables.duckdb');
    for (const path of written)
      expect([path, statSync(join(installation.folder, path)).mode & 0o077]).toEqual([path, 0]);
  });

  it('A29: a secret that a proxy wrote into a header is in no table, and what leaves is no trap for who opens it', async () => {
    await using installation = await Installation.start({ launcher });
    const shop = installation.shop();
    const columns = [
      { type: 'headers', name: 'headers' },
      { type: 'path', name: 'cell', path: 'cell', rawString: true },
    ];
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders', columns }]);
    const hiddenText = String.fromCodePoint(0x9b, 0x202e);
    await shop.api.task('PATCH', shop.path, { description: `shown ${hiddenText} as it is` });
    const url = await shop.url();
    const { pathname } = new URL(url);
    const secret = pathname.split('/').at(-1) ?? '';
    await post200(url, { cell: '=1+1' }, { 'X-Original-URI': pathname, Referer: url });
    await shop.flush('orders');
    const command = (...args: readonly string[]): string =>
      execFileSync(process.execPath, [launcher, ...args], { env: { ...installation.env }, encoding: 'utf8' });
    const table = command('table', 'export', 'in.c-shop.orders', '--format', 'csv', '--spreadsheet-safe');
    expect(table).toContain(`"'=1+1"`);
    expect(table).toContain(pathname.replace(secret, '***'));
    expect(table).not.toContain(secret);
    const declared = command('export');
    expect(declared).toContain(String.raw`shown \u009b\u202e as it is`);
    expect(declared).not.toMatch(/[\u0080-\u009f\u202e]/u);
  });

  it('what follows a request to upgrade in the same bytes is no request', async () => {
    await using installation = await Installation.start({ launcher });
    const shop = await shopOf(installation);
    const url = await shop.url();
    using client = await RawClient.connect(portOf(url));
    const hidden = post(url, { body: '{"n":2}' });
    await client.send(post(url, { headers: ['Connection: Upgrade', 'Upgrade: websocket'], body: '{"n":1}' }) + hidden);
    await client.closed();
    await shop.flush('orders');
    expect((await shop.numbersIn('in.c-shop.orders')).filter((number) => number === 2)).toEqual([]);
  });
});

/** Writes until the disk takes no more. */
function fill(path: string): void {
  const chunk = Buffer.alloc(64 * 1024, 1);
  try {
    for (;;) writeFileSync(path, chunk, { flag: 'a' });
  } catch (thrown) {
    if (!String(thrown).includes('ENOSPC')) throw thrown;
  }
}
