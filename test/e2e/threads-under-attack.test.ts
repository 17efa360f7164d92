import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOtlpSender } from '../chaos/otlp/otlp-sender.ts';
import { createTelemetry, telemetrySinks, telemetrySinkPath } from '../chaos/otlp/telemetry.ts';
import { verifyTelemetry } from '../chaos/otlp/verify-telemetry.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { isLong } from '../support/long-tests.ts';
import { numberColumns, type Shop } from '../support/shop.ts';
import { startTimedSender, taken, type SentEvent, type TimedSender } from '../support/timed-sender.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-attack-'));
const order = join(folder, 'order');
let installation: Installation;

beforeAll(async () => {
  const env = { MILLRACE_THREADS: '3', HANG_ORDER: order, MILLRACE_LOG_LEVEL: 'error' };
  installation = await Installation.start({ entry: 'hanging-process', env });
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** One thread of the role, whichever obeys first; it has failed then. */
async function attack(role: string, what: string): Promise<void> {
  const before = await failures(role);
  writeFileSync(order, `${role} ${what}`);
  await eventually(() => expect(existsSync(order)).toBe(false));
  await eventually(async () => expect(await failures(role)).toBeGreaterThan(before));
}

/** How many threads have failed so far, of those of a role. */
async function failures(role: string): Promise<number> {
  const page = await (await fetch(`${installation.process.admin}/metrics`)).text();
  const counts = page.matchAll(
    /^millrace_service_failures_total\{service="([a-z]+)[-0-9]*",code="[a-zA-Z.]+"\} ([0-9]+)$/gm,
  );
  return [...counts].reduce((sum, [, service, count]) => sum + (service === role ? Number(count) : 0), 0);
}

async function isReady(): Promise<void> {
  await eventually(async () =>
    expect(await (await fetch(`${installation.process.admin}/health/ready`)).text()).toContain('"ready"'),
  );
}

async function moreIsTaken(sender: TimedSender): Promise<void> {
  const from = taken(sender.events).length;
  await eventually(() =>
    expect(taken(sender.events).length, installation.process.stderr()).toBeGreaterThan(from + 100),
  );
}

/** Makes a source, sends to it, and deletes it while it is sent to, again and again. */
async function churn(shopOf: (sourceId: string) => Shop, signal: AbortSignal): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (signal.aborted) return count;
    const shop = shopOf(`passing-${count}`);
    await shop.create([{ sinkId: 'orders', tableId: `in.c-passing.orders-${count}` }]);
    const sender = startTimedSender({ url: await shop.url(), connections: 3, pauseMs: 5 });
    await eventually(() => expect(taken(sender.events).length).toBeGreaterThan(5));
    await shop.api.task('DELETE', shop.path);
    const deletedAt = performance.now();
    await eventually(() =>
      expect(sender.events.filter(({ startedAt }) => startedAt > deletedAt).length).toBeGreaterThan(5),
    );
    const events = await sender.stop();
    expect(taken(events.filter(({ startedAt }) => startedAt > deletedAt))).toEqual([]);
  }
}

/** Of one partition: who had its answer before another was sent stands before it. */
function expectInOrder(numbers: readonly number[], events: readonly SentEvent[]): void {
  const known = new Map(events.map((event) => [event.number, event]));
  let latestStart = 0;
  for (const number of numbers) {
    const event = known.get(number);
    if (event === undefined) throw new Error(`event ${number} was never sent`);
    expect(event.endedAt, `event ${number} had its answer before one was sent that stands before it`).toBeGreaterThan(
      latestStart,
    );
    latestStart = Math.max(latestStart, event.startedAt);
  }
}

/** Deaths come first: each is the end of a thread in the middle of its work. */
const attacks = [
  ['ingest', 'death'],
  ['map', 'death'],
  ['stage', 'death'],
  ['ingest', 'death'],
  ['stage', 'loop'],
  ['map', 'loop'],
  ['ingest', 'death'],
] as const;

describe('a process with three threads for each role, one of which hangs or dies now and then', () => {
  it(
    'D2, D3, D4, L2: loses and doubles nothing, keeps the order of partitions, and takes calls over gRPC all the time',
    async () => {
      const shop = installation.shop();
      await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }], { uploadCount: 200 });
      const ledger = installation.shop('ledger');
      const table = { tableId: 'in.c-ledger.entries', mapping: { columns: numberColumns } };
      const sinks = [{ name: 'entries', sinkId: 'entries', table }];
      const body = { type: 'http', name: 'Ledger', sourceId: 'ledger', partitions: 1, sinks };
      await ledger.api.task('POST', '/v1/branches/default/sources', body);
      await ledger.set(ledger.path, { uploadCount: 200, uploadInterval: '1s', importCount: 1 });
      const telemetry = await createTelemetry(shop.api);
      const sender = startTimedSender({ url: await shop.url(), connections: 12, pauseMs: 4 });
      const entries = startTimedSender({ url: await ledger.url(), connections: 12, pauseMs: 4 });
      const otlp = startOtlpSender({
        url: `${installation.process.ingest}${telemetry.path}`,
        secret: telemetry.secret,
        grpcPort: Number(new URL(installation.process.otlpGrpc).port),
        pauseMs: 5,
        lanes: 6,
      });
      const ending = new AbortController();
      const churned = churn((sourceId) => installation.shop(sourceId), ending.signal);
      for (let round = 0; round < (isLong ? 5 : 1); round += 1)
        for (const [role, what] of attacks) {
          await attack(role, what);
          for (const each of [sender, entries]) await moreIsTaken(each);
          const calls = otlp.acknowledged.gRPC;
          await eventually(() => expect(otlp.acknowledged.gRPC).toBeGreaterThan(calls + 30));
          await isReady();
        }
      const told = await otlp.stop();
      // A thread that has to be cut off while calls over gRPC come in may take the process with it.
      await attack('ingest', 'loop');
      for (const each of [sender, entries]) await moreIsTaken(each);
      await isReady();
      ending.abort();
      expect(await churned).toBeGreaterThan(1);
      const [events, booked] = [await sender.stop(), await entries.stop()];
      await shop.flush('orders');
      await ledger.flush('entries');
      const rows = await shop.numbersIn('in.c-shop.orders');
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress('orders'), rows.length);
      const numbers = (await ledger.api.rows(table.tableId)).map((row) => Number(row['n']));
      expectExactlyOnce(numbers, booked);
      expectConserved(await ledger.progress('entries'), numbers.length);
      expectInOrder(numbers, booked);
      for (const sink of telemetrySinks) await shop.api.task('POST', `${telemetrySinkPath(sink)}/flush`);
      expect((await verifyTelemetry(shop.api, told)).acknowledged).toBeGreaterThan(500);
      await isReady();
      expect(await installation.stop('SIGTERM')).toBe('0');
    },
    isLong ? 1_800_000 : 600_000,
  );
});
