import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { mergeMetrics, snapshotMetrics } from './metrics-snapshot.ts';

it('counts many events with one call, in the buckets of a histogram, and adds up over threads', async () => {
  const threads = [createMetrics(), createMetrics()];
  const [one, other] = threads.map((metrics) => metrics.ages('millrace_event_age_seconds'));
  one?.add({ stage: 'staged' }, { seconds: 2, events: 10 });
  one?.add({ stage: 'staged' }, { seconds: 100_000, events: 5 });
  one?.add({ stage: 'staged' }, { seconds: 1, events: 0 });
  other?.add({ stage: 'staged' }, { seconds: -3, events: 1 });
  const snapshots = await Promise.all(threads.map(({ registry }) => snapshotMetrics(registry)));
  const { text } = await mergeMetrics(structuredClone(snapshots));
  const lines = text.split('\n').filter((line) => line.startsWith('millrace_event_age_seconds'));
  expect(text).toContain('# TYPE millrace_event_age_seconds histogram');
  const count = (le: string): string => `millrace_event_age_seconds_bucket{stage="staged",le="${le}"}`;
  expect(lines).toContain(`${count('1')} 1`);
  expect(lines).toContain(`${count('2')} 11`);
  expect(lines).toContain(`${count('86400')} 11`);
  expect(lines).toContain(`${count('+Inf')} 16`);
  expect(lines).toContain('millrace_event_age_seconds_count{stage="staged"} 16');
  expect(lines).toContain('millrace_event_age_seconds_sum{stage="staged"} 500020');
});
