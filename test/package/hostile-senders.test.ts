import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
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

async function shopOf(installation: Installation): Promise<Shop> {
  const shop = installation.shop();
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
  return shop;
}

async function expectDelivered(shop: Shop, events: readonly SentEvent[]): Promise<void> {
  await eventually(() => shop.flush('orders'), { withinMs: 60_000 });
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

/** The longest of the answers that others got. */
function longestMs(events: readonly SentEvent[]): number {
  return Math.max(...events.map(({ startedAt, endedAt }) => endedAt - startedAt));
}

/** Bytes of memory that a process has. */
function memoryOf({ process: { child } }: Installation): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

describe('the installed package under hostile senders', { timeout: 180_000 }, () => {
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
          { withinMs: 40_000 },
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
    expect(events.length).toBeGreaterThan(20);
    expect(longestMs(events)).toBeLessThan(1_000);
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
