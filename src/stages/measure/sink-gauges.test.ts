import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import { noTotals, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Source } from '../../core/source.ts';
import type { EventLog, PartitionRange } from '../../ports/event-log.ts';
import { silentTelemetry } from '../../../test/support/silent-telemetry.ts';
import { SinkGauges } from './sink-gauges.ts';

const { signal } = new AbortController();
const settingsOf = () => effectiveSettings({});

/** Gauges over sources whose topics have so many bytes; without any the topic is gone. */
function gauges(bytes: ReadonlyMap<string, number>) {
  const sources = new Map<string, { readonly value: Source }>();
  const telemetry = silentTelemetry();
  const sourceLog: Pick<EventLog, 'describeTopic' | 'ranges'> = {
    describeTopic: async (topic) => (bytes.has(topic) ? ({} as never) : undefined),
    ranges: async (topic) => {
      const size = bytes.get(topic);
      if (size === undefined) throw new Error(`no topic ${topic}`);
      return [{ bytes: size } as PartitionRange];
    },
  };
  const configuration = { sources, progress: new Map(), progressOf: () => undefined, settingsOf };
  const ledger = { readLedgers: async () => new Map() };
  const options = { configuration, sourceLog, ledger, clock: new FakeClock(), telemetry };
  return { sources, measured: new SinkGauges(options as never), page: () => telemetry.metrics.registry.metrics() };
}

function source(sourceId: string, deleted?: true): { readonly value: Source } {
  return { value: { branchId: 1, sourceId, topic: sourceId, deleted } as never };
}

it('forgets the size of a log with its source, and keeps that of one that cannot be read now', async () => {
  const bytes = new Map([
    ['shop', 100],
    ['crm', 50],
  ]);
  const { sources, measured, page } = gauges(bytes);
  sources.set('shop', source('shop')).set('crm', source('crm'));
  await measured.measure({ signal });
  expect(await page()).toContain('millrace_log_bytes{branch="1",source="shop"} 100');
  expect(await page()).toMatch(/^millrace_measured_timestamp_seconds [1-9]/m);
  bytes.delete('shop');
  await expect(measured.measure({ signal })).rejects.toThrow('no topic shop');
  expect(await page()).toContain('millrace_log_bytes{branch="1",source="shop"} 100');
  expect(await page()).toContain('millrace_log_bytes{branch="1",source="crm"} 50');
  sources.set('shop', source('shop', true)).delete('crm');
  await measured.measure({ signal });
  expect(await page()).not.toMatch(/^millrace_log_bytes\{/m);
});

it('D2: holes of a sink are gauges, all and those that nobody has acknowledged', async () => {
  const telemetry = silentTelemetry();
  const shop = source('shop');
  const lost = { 0: { ...noTotals, passed: 387, holes: 387 } };
  const progress = { ...progressOf(1000), totals: lost, acknowledgedHoles: 300 };
  const { incarnation } = progress;
  const documents = new Map([
    [String(incarnation), { value: { ...progress, topics: { ...progress.topics, source: 'shop' } } }],
  ]);
  const configuration = {
    sources: new Map([['shop', shop]]),
    progress: documents,
    progressOf: () => documents,
    settingsOf,
  };
  const sourceLog = { ranges: async () => [{ first: 0, end: 1000, stableEnd: 1000, bytes: 1 }] };
  const ledger = { readLedgers: async () => new Map() };
  const options = { configuration, sourceLog, ledger, clock: new FakeClock(), telemetry };
  await new SinkGauges(options as never).measure({ signal });
  const page = await telemetry.metrics.registry.metrics();
  expect(page).toMatch(/^millrace_sink_holes\{.*\} 387$/m);
  expect(page).toMatch(/^millrace_sink_unacknowledged_holes\{.*\} 87$/m);
  expect(page).toMatch(/^millrace_sink_freshness_target_seconds\{.*\} 180$/m);
});

const topic = 'source.1.shop';
const partlyLost: SinkProgress = {
  ...progressOf(1000),
  totals: { 0: { ...noTotals, passed: 400, rows: 10, holes: 387 } },
};
/** Has not delivered everything yet. */
const deleted: SinkProgress = { ...partlyLost, open: false, deleted: true };
const again: SinkProgress = { ...progressOf(1000), incarnation: parseIncarnation(2) };

/** What looks at these documents leave on the page, of a source whose current topic has that name. */
async function pageAfter(
  looks: readonly (readonly SinkProgress[])[],
  { current, isThere = true }: { readonly current: string; readonly isThere?: boolean },
): Promise<string> {
  const telemetry = silentTelemetry();
  const held = new Map<number, { readonly value: SinkProgress }>();
  const configuration = {
    sources: new Map([['shop', { value: { branchId: 1, sourceId: 'shop', topic: current } }]]),
    progress: held,
    progressOf: (incarnation: number) => held.get(incarnation),
    settingsOf,
  };
  const sourceLog = {
    describeTopic: async () => (isThere ? {} : undefined),
    ranges: async () => [{ first: 0, durableEnd: 1005, stableEnd: 1005, bytes: 1 }],
  };
  const ledger = { readLedgers: async () => new Map() };
  const options = { configuration, sourceLog, ledger, clock: new FakeClock(), telemetry };
  const gauges = new SinkGauges(options as never);
  for (const documents of looks) {
    held.clear();
    for (const value of documents) held.set(value.incarnation, { value });
    await gauges.measure({ signal });
  }
  return telemetry.metrics.registry.metrics();
}

it('D2, D4: a deleted incarnation rings beside the next one of that name, until it is gone', async () => {
  for (const looks of [[[deleted]], [[deleted, again]], [[again, deleted]]]) {
    const page = await pageAfter(looks, { current: topic });
    expect(page).toMatch(/^millrace_sink_unacknowledged_holes\{.*\} 387$/m);
    expect(page).toMatch(/^millrace_sink_conservation_difference\{.*\} 3$/m);
    expect(page).toMatch(new RegExp(`^millrace_sink_lag_events\\{.*\\} ${5 * (looks[0]?.length ?? 0)}$`, 'm'));
  }
  const later = await pageAfter([[deleted, again], [again]], { current: topic });
  expect(later).toMatch(/^millrace_sink_unacknowledged_holes\{.*\} 0$/m);
  expect(later).toMatch(/^millrace_sink_conservation_difference\{.*\} 0$/m);
  expect(await pageAfter([[deleted], []], { current: topic })).not.toMatch(/^millrace_sink_holes\{/m);
});

it('D2, D4: an incarnation rings whose source was made again, with another topic, also when its own one is gone', async () => {
  const page = await pageAfter([[deleted]], { current: 'source.1.shop.5' });
  expect(page).toMatch(/^millrace_sink_unacknowledged_holes\{.*\} 387$/m);
  expect(page).toMatch(/^millrace_sink_lag_events\{.*\} 5$/m);
  const gone = await pageAfter([[deleted]], { current: 'source.1.shop.5', isThere: false });
  expect(gone).toMatch(/^millrace_sink_unacknowledged_holes\{.*\} 387$/m);
  expect(gone).toMatch(/^millrace_sink_conservation_difference\{.*\} 3$/m);
  expect(gone).toMatch(/^millrace_sink_lag_events\{.*\} 0$/m);
});

it('D4: what the ledger loaded and the document does not count is a gauge of its own; what is not known is none', async () => {
  const telemetry = silentTelemetry();
  const progress = { ...progressOf(0), totals: { 0: { ...noTotals, passed: 5, rows: 5 } } };
  const value = { ...progress, topics: { ...progress.topics, source: 'shop' } };
  const documents = new Map([['1', { value }]]);
  const configuration = {
    sources: new Map([['shop', source('shop')]]),
    progress: documents,
    progressOf: () => documents,
    settingsOf,
  };
  const rows = new Map<number, object>([[1, { number: 0, id: '', verdict: 'loaded', loaded: { rows: 7, dead: 0 } }]]);
  const ledger = { readLedgers: async () => rows };
  const sourceLog = { ranges: async () => [{ first: 0, durableEnd: 5, stableEnd: 5, bytes: 1 }] };
  const options = { configuration, sourceLog, ledger, clock: new FakeClock(), telemetry };
  const gauges = new SinkGauges(options as never);
  await gauges.measure({ signal });
  const page = await telemetry.metrics.registry.metrics();
  expect(page).toMatch(/^millrace_sink_conservation_difference\{.*\} 2$/m);
  expect(page).toMatch(/^millrace_sink_witness_difference\{.*witness="ledgerRows"\} 2$/m);
  expect(page).toMatch(/^millrace_sink_witness_difference\{.*witness="document"\} 0$/m);
  expect(page).not.toContain('witness="log"');
  rows.clear();
  await gauges.measure({ signal });
  const later = await telemetry.metrics.registry.metrics();
  expect(later).toMatch(/^millrace_sink_conservation_difference\{.*\} 0$/m);
  expect(later).not.toContain('witness="ledgerRows"');
});
