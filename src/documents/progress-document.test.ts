import { expect, test } from 'vitest';
import { progressOf } from '../../test/support/progress-of.ts';
import { noTotals } from '../core/progress/sink-progress.ts';
import { progressDocuments } from './progress-document.ts';

test('U2: a progress document has a later format once a record held several events', () => {
  const progress = progressOf(0);
  const before = { ...progress, totals: { 0: { ...noTotals, passed: 3 } } };
  const after = { ...progress, totals: { 0: { ...noTotals, passed: 3, unpacked: 1 } } };
  expect(progressDocuments.sealed(before)).not.toHaveProperty('format');
  expect(progressDocuments.sealed(after)).toMatchObject({ format: { version: 2, oldestWriter: 2 } });
});

test('U2: a progress document has a later format once letters of it were replayed', () => {
  const running = {
    number: 1,
    id: 'r',
    replayId: 'all',
    passed: { seen: 1, refused: 0, partial: 0, after: { partition: 0, offset: 1, eventId: 'e' } },
    mappingVersion: 1,
    letters: { 0: { rows: 0, filtered: 1, offsets: [1] } },
    lettersObject: { name: 'r.letters', bytes: 3 },
    firstArrival: 1,
    lastArrival: 1,
    startedAt: 1,
  };
  const replaying = progressDocuments.sealed({ ...progressOf(0), replaying: running });
  expect(replaying).toMatchObject({ format: { version: 2, oldestWriter: 2 } });
  const { replaying: _, ...done } = progressDocuments.parse(replaying);
  expect(progressDocuments.sealed(done)).toMatchObject({ format: { version: 2, oldestWriter: 2 } });
});
