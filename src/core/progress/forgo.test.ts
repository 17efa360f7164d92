import { expect, test } from 'vitest';
import { allowed, endsAt, progressOf } from '../../../test/support/progress-of.ts';
import { accountOf } from './conservation.ts';
import { forgo } from './forgo.ts';
import { entryOf } from './sink-progress.ts';
import { close, isSpent, open } from './switch.ts';

const disabled = allowed(close(progressOf(3), endsAt(10), { deleted: false }));
const deleted = allowed(close(allowed(open(disabled, endsAt(15))), endsAt(20), { deleted: true }));
const at = { partition: 0, base: entryOf(deleted, 0) };

test('D2, D4: what a deleted incarnation wants and nobody can deliver are holes, counted in its intervals only', () => {
  const after = allowed(forgo(deleted, at));
  expect(accountOf(after, 0)).toMatchObject({ passed: 12, holes: 12, difference: 0 });
  expect(isSpent(after, [0])).toBe(true);
});

test('D2: an incarnation that is not deleted gives up nothing of what it wants', () => {
  expect(forgo(disabled, { partition: 0, base: entryOf(disabled, 0) })).toMatchObject({ kind: 'refused' });
});

test('D2: an entry that has moved since it was looked at is not given up', () => {
  const moved = { ...deleted, entries: { 0: { ...at.base, sink: 1, source: 5 } } };
  expect(forgo(moved, at)).toMatchObject({ kind: 'refused', outdated: true });
});
