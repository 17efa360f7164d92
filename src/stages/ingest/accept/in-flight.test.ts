import { expect, it } from 'vitest';
import { SharedSum } from '../../../core/shared-sum.ts';
import { InFlight } from './in-flight.ts';

const kilobyte = 1024;

function pair(maxBytes: number): readonly [InFlight, InFlight] {
  const parts = SharedSum.parts(2);
  return [new InFlight(maxBytes, new SharedSum(parts, 0)), new InFlight(maxBytes, new SharedSum(parts, 1))];
}

it('D8: a request may take what all threads have, and no other thread may take it meanwhile', () => {
  const [one, other] = pair(100 * kilobyte);
  expect(one.add(90 * kilobyte)).toBe(true);
  expect([other.fits(10 * kilobyte), other.fits(11 * kilobyte)]).toEqual([true, false]);
  expect([other.add(11 * kilobyte), other.couldFit(100 * kilobyte), other.couldFit(101 * kilobyte)]).toEqual([
    false,
    true,
    false,
  ]);
  expect([one.bytes, other.bytes, one.isOver]).toEqual([90 * kilobyte, 0, false]);
  other.count(20 * kilobyte);
  expect([one.isOver, other.isOver]).toEqual([true, true]);
  one.remove(90 * kilobyte);
  expect(other.add(80 * kilobyte)).toBe(true);
});

it('D8: bytes of other threads count in full, also those of less than a kilobyte', () => {
  const [one, other] = pair(10 * kilobyte);
  other.count(1);
  expect([one.fits(9 * kilobyte), one.fits(10 * kilobyte)]).toEqual([true, false]);
});
