import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressId } from '../../src/documents/document-id.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import { parseIncarnation } from '../../src/core/ids.ts';
import type { ParkedSlice } from '../../src/core/progress/sink-progress.ts';
import type { Ports } from '../../src/runtime/composition/ports.ts';
import { dataFolder } from '../../src/runtime/embedded/data-folder.ts';
import { openEmbeddedPorts } from '../../src/runtime/embedded/embedded-ports.ts';
import { eventually } from '../support/eventually.ts';
import { identified } from '../support/identified.ts';
import { Installation } from '../support/installation.ts';
import { leftOut } from '../support/long-tests.ts';
import { quickRules, startPrometheus, whyNoPrometheus, type Prometheus } from '../support/prometheus.ts';
import type { Shop } from '../support/shop.ts';

const without = await whyNoPrometheus();
if (without !== undefined) console.warn(`skipped, ${without}`);

const never = { signal: new AbortController().signal };
const day = 24 * 3_600_000;
const patient = { withinMs: 120_000, everyMs: 250 };
let installation: Installation;
let prometheus: Prometheus;

beforeAll(async () => {
  if (without !== undefined) return;
  installation = await Installation.start();
  const { host } = new URL(installation.process.admin);
  prometheus = await startPrometheus({ targets: [host], rules: await quickRules() });
});

afterAll(async () => {
  await prometheus?.[Symbol.asyncDispose]();
  await installation?.[Symbol.asyncDispose]();
});

async function rings(alert: string): Promise<void> {
  await eventually(async () => expect(await prometheus.firing()).toContain(alert), patient);
}

async function isSilent(alert: string): Promise<void> {
  await eventually(async () => expect(await prometheus.firing()).not.toContain(alert), patient);
}

async function valueOf(metric: string, sourceId: string): Promise<number | undefined> {
  return (await prometheus.query(`${metric}{source="${sourceId}"}`))[0]?.value;
}

async function send(shop: Shop, count: number): Promise<void> {
  const url = await shop.url();
  for (let n = 1; n <= count; n += 1)
    expect((await fetch(url, { method: 'POST', body: JSON.stringify({ n }) })).ok).toBe(true);
}

/** What somebody does to the stores of a process that was killed, before it is started again. */
async function whileDead(harm: (ports: Ports) => Promise<void>): Promise<void> {
  await installation.stop('SIGKILL');
  await using stack = new AsyncDisposableStack();
  const onBroken = (error: Error): never => {
    throw error;
  };
  await harm(
    await openEmbeddedPorts(dataFolder(installation.folder), { instance: 'test', first: false, onBroken }, stack),
  );
  await stack.disposeAsync();
  await installation.start();
}

const waiting = { uploadCount: 10_000, uploadInterval: '30m' };

describe.skipIf(without !== undefined)('a loss on a running product, as a real Prometheus sees it', () => {
  it('D2: outcomes that a topic lost ring, and so do events that the source has lost, too, until they are acknowledged', async () => {
    const shop = installation.shop('torn');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.torn' }], waiting);
    await send(shop, 20);
    await eventually(async () => expect(await valueOf('millrace_map_outcomes_total', 'torn')).toBe(20), patient);
    const { incarnation } = await shop.progress('orders');
    await whileDead(async ({ sourceLog, sinkLog }) => {
      const source = await identified(sourceLog, { topic: 'source.1.torn', partition: 0 });
      await sourceLog.trim(source, 10, never);
      const sink = await identified(sinkLog, { topic: `sink.1.torn.orders.${incarnation}`, partition: 0 });
      await sinkLog.trim(sink, 20, never);
    });
    await rings('MillraceTopicTorn');
    await shop.flush('orders');
    await rings('MillraceEventsLost');
    expect(await valueOf('millrace_sink_unacknowledged_holes', 'torn')).toBe(10);
    await shop.api.call('DELETE', `${shop.sink('orders')}/statistics/clear`);
    await isSilent('MillraceEventsLost');
    await isSilent('MillraceTopicTorn');
    expect(await shop.numbersIn('in.c-shop.torn')).toHaveLength(10);
  });

  it('D6: slices that are set aside ring until they are back; those that are given up ring, too', async () => {
    const shop = installation.shop('aside');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.gone' }], {
      ...waiting,
      importInterval: '30m',
      importCount: 10_000,
    });
    await shop.api.call('DELETE', '/v2/storage/tables/in.c-shop.gone?force=true');
    await send(shop, 7);
    // It does not come to its end: the table is gone.
    const flushed = shop.flush('orders').catch(() => undefined);
    const table = (tableId: string): object => ({
      table: {
        tableId,
        mapping: {
          columns: [
            { type: 'uuid', name: 'id' },
            { type: 'path', name: 'n', path: 'n' },
          ],
        },
      },
    });
    await shop.api.task('PATCH', shop.sink('orders'), table('in.c-shop.came'));
    await rings('MillraceSlicesParked');
    expect(await valueOf('millrace_sink_parked_slices', 'aside')).toBeGreaterThan(0);
    const parked = await valueOf('millrace_sink_parked_events', 'aside');
    expect(await valueOf('millrace_sink_parked_oldest_seconds', 'aside')).toBeGreaterThan(0);
    expect(await prometheus.firing()).not.toContain('MillraceEventsGivenUp');
    const { incarnation } = await shop.progress('orders');
    await whileDead(async ({ catalog }) => {
      const id = progressId(parseIncarnation(incarnation));
      const found = await catalog.get('progress', id, never);
      const value = progressDocuments.parse(found?.value);
      const long = (slice: ParkedSlice): ParkedSlice =>
        slice.failing === undefined
          ? slice
          : { ...slice, failing: { ...slice.failing, since: Date.now() - 8 * day, provenMs: 8 * day } };
      const changed = { ...value, parked: value.parked.map(long) };
      const write = { collection: 'progress', id, expected: found?.revision, value: changed } as const;
      expect((await catalog.compareAndSet(write, never)).kind).toBe('written');
    });
    await rings('MillraceEventsGivenUp');
    expect(await valueOf('millrace_sink_given_up_events', 'aside')).toBe(parked);
    await isSilent('MillraceSlicesParked');
    await isSilent('MillraceEventsGivenUp');
    await flushed;
  });

  it.skipIf(leftOut('what retention removes'))(
    'D2: what retention removes before every sink had it rings',
    async () => {
      const shop = installation.shop('aged');
      await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.aged' }], waiting);
      const settings = ['interval', 'maxAge'].map((name) => ({ key: `log.retention.${name}`, value: '1m' }));
      await shop.api.call('PATCH', `${shop.path}/settings`, { settings });
      await send(shop, 5);
      await rings('MillraceRetentionLost');
      expect(await valueOf('millrace_retention_lost_events_total', 'aged')).toBe(5);
      await isSilent('MillraceRetentionLost');
    },
    300_000,
  );
});
