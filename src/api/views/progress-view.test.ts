import { expect, it } from 'vitest';
import { allowed, progressOf } from '../../../test/support/progress-of.ts';
import { noTotals, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { clearStatistics } from '../../core/progress/statistics.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import { progressView, type ProgressView } from './progress-view.ts';

function alarmOf(progress: SinkProgress, retentionUsed?: number): string | undefined {
  return viewOf(progress, retentionUsed).alarm;
}

function viewOf(progress: SinkProgress, retentionUsed?: number): ProgressView {
  const ends = new Map([[0, 10]]);
  const nothing = {
    statuses: [],
    openSlices: [],
    lastNote: undefined,
    standstill: undefined,
    acknowledged: undefined,
    stable: undefined,
    witness: { kind: 'uncounted' as const },
    retentionUsed,
    earlier: [],
    missing: [],
  };
  const report = { ...nothing, progress, ends, settings: effectiveSettings(), now: 0 };
  return progressView(report, 1);
}

it('D2: holes are an alarm of the progress page until somebody acknowledges them, beside a difference', () => {
  const lost = { ...progressOf(0), totals: { 0: { ...noTotals, passed: 3, holes: 3 } } };
  expect(alarmOf(progressOf(0))).toBeUndefined();
  expect(alarmOf(lost)).toMatch(/^3 events were lost before they were delivered/);
  expect(alarmOf(allowed(clearStatistics(lost)))).toBeUndefined();
  const broken = { ...lost, totals: { 0: { ...noTotals, passed: 4, holes: 3 } } };
  expect(alarmOf(broken)).toMatch(/^The numbers do not add up: .* 3 events were lost/);
});

it('D2: half of the retention, used by what a sink still needs, is an alarm of the progress page', () => {
  expect(alarmOf(progressOf(0), undefined)).toBeUndefined();
  expect(alarmOf(progressOf(0), 0.49)).toBeUndefined();
  expect(alarmOf(progressOf(0), 0.5)).toMatch(/^What the sink still needs has used 50 % of the retention/);
});

it('the next import is now when as many slices are staged as an import waits for at most', () => {
  const { slices } = effectiveSettings().target;
  const counts = { rows: 1, dead: 0, firstArrival: 0, lastArrival: 0, stagedAt: 0 };
  const staged = (count: number): SinkProgress => ({
    ...progressOf(0),
    staged: Array.from({ length: count }, (_, at) => ({
      ...counts,
      id: `${at}`,
      partition: 0,
      mappingVersion: 1,
      from: at - 1,
      to: at,
    })),
  });
  const nextImportAt = (count: number) => viewOf(staged(count)).staged.nextImportAt;
  expect(nextImportAt(slices)).toBe(new Date(0).toISOString());
  expect(Date.parse(nextImportAt(slices - 1) ?? '')).toBeGreaterThan(0);
});
