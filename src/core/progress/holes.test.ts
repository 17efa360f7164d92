import { expect, test } from 'vitest';
import { allowed, progressOf } from '../../../test/support/progress-of.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { holesOf } from './holes.ts';
import { noTotals, type SinkProgress } from './sink-progress.ts';
import { clearStatistics } from './statistics.ts';

function withHoles(progress: SinkProgress, ...holes: readonly number[]): SinkProgress {
  return { ...progress, totals: Object.fromEntries(holes.map((count, at) => [at, { ...noTotals, holes: count }])) };
}

test('D2: holes ring until the statistics are cleared, and later ones ring again', () => {
  const lost = withHoles(progressOf(0, 0), 3, 4);
  expect(holesOf(lost), 'a document that never heard of it').toEqual({ counted: 7, ringing: 7 });
  const seen = progressDocuments.parse(JSON.parse(JSON.stringify(allowed(clearStatistics(lost)))));
  expect(holesOf(seen)).toEqual({ counted: 7, ringing: 0 });
  expect(clearStatistics(seen)).toHaveProperty('reason');
  const more = withHoles(seen, 3, 6);
  expect(holesOf(more)).toEqual({ counted: 9, ringing: 2 });
  expect(holesOf(allowed(clearStatistics(more)))).toEqual({ counted: 9, ringing: 0 });
});

test('D4: a sink without holes has nothing that rings, before and after clearing', () => {
  expect(holesOf(progressOf(0))).toEqual({ counted: 0, ringing: 0 });
  expect(allowed(clearStatistics(progressOf(0)))).not.toHaveProperty('acknowledgedHoles');
});
