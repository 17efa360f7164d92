import { expect, it } from 'vitest';
import type { BranchId, SinkId, SinkKey, SourceId } from '../core/ids.ts';
import { noDifferences } from '../../test/support/measured.ts';
import { createMetrics } from './metrics.ts';
import { SeriesNames } from './labels.ts';
import { SinkSeries } from './sink-gauges.ts';
import { silentTelemetry } from '../../test/support/silent-telemetry.ts';

const key = (sink: string): SinkKey => ({
  branchId: 1 as BranchId,
  sourceId: 'shop' as SourceId,
  sinkId: sink as SinkId,
});
const other = { branch: 'other', source: 'other', sink: 'other' };

it('names as many sinks as it may, those that it met first, and calls all others by one name', () => {
  const names = new SeriesNames(2);
  for (const sink of ['a', 'b', 'a']) expect(names.sink(key(sink))).toEqual({ branch: '1', source: 'shop', sink });
  expect(names.sink(key('c'))).toEqual(other);
  expect(names.sink(key('b'))).toMatchObject({ sink: 'b' });
  expect(names.source(key('c'))).toEqual({ branch: '1', source: 'shop' });
});

it('adds up what is measured of the others, so that a loss of any of them rings', async () => {
  const metrics = createMetrics(new SeriesNames(1));
  const series = new SinkSeries({ ...silentTelemetry(), metrics });
  series.tell(
    ['a', 'b', 'c'].map((sink) => ({ key: key(sink), measure: noDifferences({ lagEvents: 5, ringing: 2 }) })),
  );
  const page = await metrics.registry.metrics();
  expect(page).toContain('millrace_sink_lag_events{branch="1",source="shop",sink="a"} 5');
  expect(page).toContain('millrace_sink_unacknowledged_holes{branch="other",source="other",sink="other"} 4');
  expect(page).not.toContain('sink="b"');
  series.tell([]);
  expect(await metrics.registry.metrics()).not.toContain('millrace_sink_lag_events{');
});
