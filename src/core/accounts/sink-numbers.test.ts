import { expect, test } from 'vitest';
import { allowed, endsAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { seal } from '../progress/seal.ts';
import { entryOf, type SinkProgress } from '../progress/sink-progress.ts';
import { close } from '../progress/switch.ts';
import { countSink, differenceOf, noNumbers, sumNumbers } from './sink-numbers.ts';

/** Two partitions; of the first, six offsets are passed: three rows and a dead letter are staged, one is filtered, one holds no event. */
function begun(): SinkProgress {
  const progress = progressOf(0, 0);
  const slice = sliceOf({ id: 'a', from: -1, to: 5, rows: 3, dead: 1 });
  const counts = { filtered: 1, holes: 0, none: 1 };
  const base = entryOf(progress, 0);
  return allowed(seal(progress, { partition: 0, base, sink: 5, source: 5, ...counts, slice, stamp: 1 }));
}

test('N1: each event stands in exactly one number beside accepted, and an offset without an event in none', () => {
  const numbers = countSink(begun(), endsAt(10, 2).durable);
  expect(numbers).toEqual({ ...noNumbers, accepted: 5 + 4 + 2, staged: 4, filtered: 1, inFlight: 4 + 2 });
  expect(differenceOf(numbers)).toBe(0);
  const totals = { passed: 4 + 21, unpacked: 7, rows: 8, dead: 2, filtered: 3, holes: 4, none: 5, givenUp: 6 };
  const all = countSink({ ...begun(), totals: { 0: totals } }, endsAt(16, 0).durable);
  const kinds = { imported: 8, staged: 4, inFlight: 10, filtered: 3, dead: 2, holes: 4, givenUp: 6 };
  expect(all).toEqual({ accepted: 25 + 7 - 5 + 10, ...kinds });
  expect(differenceOf(all)).toBe(0);
});

test('N1: an event that nobody accounts for is a difference above 0, one that is counted twice one below', () => {
  const progress = begun();
  const totals = progress.totals[0];
  if (totals === undefined) throw new Error('nothing was passed');
  const with_ = (rows: number): SinkProgress => ({ ...progress, totals: { 0: { ...totals, rows } } });
  expect(differenceOf(countSink({ ...progress, staged: [] }, endsAt(10, 2).durable))).toBe(4);
  expect(differenceOf(countSink(with_(2), endsAt(10, 2).durable))).toBe(-2);
});

test('N2: with ends that were read before the document nothing counts that came behind the end of an interval', () => {
  const before = endsAt(10, 2).durable;
  const open = countSink(begun(), before);
  const closed = allowed(close(begun(), endsAt(12, 2), { deleted: false }));
  expect(countSink(closed, before)).toEqual(open);
  expect(countSink(closed, endsAt(50, 50).durable).accepted).toBe(open.accepted + 2);
});

test('N2: ends that lie below what the document has passed, or lack a partition, take nothing away', () => {
  const numbers = countSink(begun(), endsAt(3).durable);
  expect(numbers).toMatchObject({ accepted: 5, inFlight: 0 });
  expect(differenceOf(numbers)).toBe(0);
  expect(countSink(begun(), new Map([[1, 2]]))).toMatchObject({ accepted: 5 + 2, inFlight: 2 });
});

test('N2: a deleted incarnation wants nothing beyond its own ends', () => {
  const deleted = allowed(close(begun(), endsAt(8, 2), { deleted: true }));
  for (const ends of [endsAt(100, 100).durable, new Map<number, number>()])
    expect(countSink(deleted, ends)).toMatchObject({ accepted: 5 + 2 + 2, inFlight: 4 });
});

test('numbers of several sinks add up', () => {
  const one = countSink(begun(), endsAt(10, 2).durable);
  expect(sumNumbers([one, one])).toMatchObject({ accepted: 2 * one.accepted, staged: 2 * one.staged });
  expect(sumNumbers([])).toEqual(noNumbers);
});
