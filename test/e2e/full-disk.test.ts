import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { fill } from '../support/fill-disk.ts';
import { Installation } from '../support/installation.ts';
import { TemporaryDisk } from '../support/temporary-disk.ts';
import { startTimedSender, type TimedSender } from '../support/timed-sender.ts';

const disk = TemporaryDisk.mount(128);
let installation: Installation;

describe.skipIf(disk === undefined)('a full disk', () => {
  beforeAll(async () => {
    installation = await Installation.start({ folder: disk?.path ?? '', env: { MILLRACE_THREADS: '3' } });
  });

  afterAll(async () => {
    await installation[Symbol.asyncDispose]();
    disk?.[Symbol.dispose]();
  });

  it('D8, L1: refuses new events with 503 and Retry-After, says so, goes on when there is space, and loses and doubles none', async () => {
    const shop = installation.shop();
    const sinks = ['first', 'second'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
    await shop.create(sinks, { uploadCount: 500, importCount: 1000 });
    const sender = startTimedSender({ url: await shop.url(), connections: 6, padBytes: 20_000 });
    await refuses(sender);
    await saysFull(true);
    // A slow round has used up what the product keeps free, too: there must be more than that again.
    disk?.resize(256);
    await goesOn(sender);
    await saysFull(false);
    // The rest of the disk goes to somebody else, to the last byte.
    const ballast = join(disk?.path ?? '', 'ballast');
    fill(ballast, 256);
    await refuses(sender);
    rmSync(ballast);
    await goesOn(sender);
    fill(ballast, 256);
    await installation.stop('SIGKILL');
    await startsOrSaysWhy();
    rmSync(ballast);
    disk?.resize(512);
    if (installation.process.child.exitCode !== null || installation.process.child.signalCode !== null)
      await installation.start();
    await goesOn(sender);
    const events = await sender.stop();
    for (const { sinkId, tableId } of sinks) {
      await eventually(async () => expect((await shop.progress(sinkId)).errors).toEqual([]));
      await shop.flush(sinkId);
      const rows = await shop.numbersIn(tableId);
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress(sinkId), rows.length);
    }
    expect(await installation.stop('SIGTERM')).toBe('0');
  });
});

/** On a full disk a process comes back, or ends with a sentence that names the disk; nothing is damaged either way. */
async function startsOrSaysWhy(): Promise<void> {
  let answer = 'the disk is full, and it started all the same';
  try {
    await installation.start();
  } catch (thrown) {
    answer = String(thrown);
  }
  expect(answer).toMatch(/no space left|disk .*is full|disk is full/i);
}

/** Readiness and the alarm. */
async function saysFull(isFull: boolean): Promise<void> {
  const get = async (path: string) => (await fetch(`${installation.process.admin}${path}`)).text();
  await eventually(async () => {
    expect((await get('/health/ready')).includes('The disk is full')).toBe(isFull);
    expect(await get('/metrics')).toContain(
      `millrace_open_alarms{role="ingest",code="log.diskFull"} ${isFull ? 1 : 0}`,
    );
  });
}

async function refuses(sender: TimedSender): Promise<void> {
  const from = sender.events.length;
  await eventually(() => {
    const last = sender.events.slice(from).slice(-30);
    expect(last).toHaveLength(30);
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([503]));
    expect(last.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
  });
}

async function goesOn(sender: TimedSender): Promise<void> {
  const from = sender.events.length;
  await eventually(() => {
    const since = sender.events.slice(from);
    const said = `answers: ${[...new Set(since.map(({ status }) => status))].join(', ')}; ${installation.process.stderr()}`;
    expect(since.filter(({ status }) => status === 200).length, said).toBeGreaterThan(100);
  });
}
