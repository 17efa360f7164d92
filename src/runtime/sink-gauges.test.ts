import { expect, it } from 'vitest';
import { FakeClock } from '../../test/support/fake-clock.ts';
import type { Source } from '../core/source.ts';
import type { EventLog, PartitionRange } from '../ports/event-log.ts';
import { silentTelemetry } from '../telemetry/silent-telemetry.ts';
import { SinkGauges } from './sink-gauges.ts';

const { signal } = new AbortController();

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
  const configuration = { sources, progress: new Map(), progressOf: () => undefined };
  const options = { configuration, sourceLog, clock: new FakeClock(), telemetry };
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
  bytes.delete('shop');
  await expect(measured.measure({ signal })).rejects.toThrow('no topic shop');
  expect(await page()).toContain('millrace_log_bytes{branch="1",source="shop"} 100');
  expect(await page()).toContain('millrace_log_bytes{branch="1",source="crm"} 50');
  sources.set('shop', source('shop', true)).delete('crm');
  await measured.measure({ signal });
  expect(await page()).not.toMatch(/^millrace_log_bytes\{/m);
});
