import { expect, it } from 'vitest';
import type { BranchId, SinkId, SourceId } from '../core/ids.ts';
import { giveBackNames } from './give-back-names.ts';
import { sinkLabels, sourceLabels, SeriesNames, type SinkLabels } from './labels.ts';
import { createMetrics } from './metrics.ts';

const key = (source: string) => ({
  branchId: 1 as BranchId,
  sourceId: source as SourceId,
  sinkId: 'orders' as SinkId,
});

const none = { hasSource: () => false, hasSink: () => false };

it('a source that is gone gives its place to one that has none, with all of its series', async () => {
  const metrics = createMetrics(new SeriesNames(2));
  const count = (source: string): void => {
    metrics.counter('millrace_ingest_events_total').inc({ ...sourceLabels(metrics, key(source)) }, 1);
    metrics.counter('millrace_map_outcomes_total').inc({ ...sinkLabels(metrics, key(source)), kind: 'row' }, 1);
  };
  for (const source of ['a', 'b', 'c']) count(source);
  const isThere = ({ source }: Pick<SinkLabels, 'source'>): boolean => source !== 'a';
  await giveBackNames(metrics, () => ({ hasSource: isThere, hasSink: isThere }));
  for (const source of ['b', 'c']) count(source);
  const page = await metrics.registry.metrics();
  expect(page).not.toContain('source="a"');
  expect(page).toContain('millrace_ingest_events_total{branch="1",source="b"} 2');
  expect(page).toContain('millrace_ingest_events_total{branch="1",source="c"} 1');
  expect(page).toContain('millrace_map_outcomes_total{branch="1",source="c",sink="orders",kind="row"} 1');
  expect(page).toContain('millrace_map_outcomes_total{branch="other",source="other",sink="other",kind="row"} 1');
});

it('while there is room nothing is taken away', async () => {
  const metrics = createMetrics(new SeriesNames(2));
  metrics.counter('millrace_ingest_events_total').inc({ ...sourceLabels(metrics, key('a')) }, 1);
  await giveBackNames(metrics, () => none);
  expect(await metrics.registry.metrics()).toContain('millrace_ingest_events_total{branch="1",source="a"} 1');
});
