import { expect, test } from 'vitest';
import { allowed, endsAt, progressOf } from '../../../test/support/progress-of.ts';
import { accountOf } from '../accounts/conservation.ts';
import { forgo, forgoMapping, lostSource } from './forgo.ts';
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

test('D2: what is not mapped again is noted once, for the reader of a deleted incarnation, which goes on at the head of its topic', () => {
  const base = { ...at.base, sink: 7, torn: { low: 7, end: 18 } };
  const torn = { ...deleted, entries: { 0: base } };
  const change = { partition: 0, base, low: 4 };
  const after = allowed(forgoMapping(torn, change));
  expect(entryOf(after, 0)).toMatchObject({ sink: 4, source: base.source, torn: { low: 4, end: 18, lost: 20 } });
  expect(lostSource(base)).toBeUndefined();
  expect(lostSource(entryOf(after, 0))).toEqual({ first: 20, stableEnd: 20 });
  expect(forgoMapping(after, change)).toMatchObject({ kind: 'refused', outdated: true });
  expect(forgoMapping(after, { ...change, base: entryOf(after, 0) })).toMatchObject({ kind: 'refused' });
  expect(forgoMapping({ ...torn, deleted: false }, change)).toMatchObject({ kind: 'refused' });
});
