import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gapsIn } from './gaps.ts';

const stepMs = 60;

test('N4: every step of a time either has a sample or lies in a gap, and gaps do not touch', () => {
  const times = fc.uniqueArray(fc.nat(3000), { maxLength: 40 }).map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(times, fc.nat(3000), fc.nat(3000), (taken, one, other) => {
      const [from, to] = one < other ? [one, other] : [other, one];
      const gaps = gapsIn(taken, { from, to, stepMs });
      const inGap = (step: number): boolean => gaps.some((gap) => gap.from <= step * stepMs && step * stepMs < gap.to);
      for (let step = Math.ceil(from / stepMs); step < Math.floor(to / stepMs); step += 1)
        expect(inGap(step)).toBe(!taken.some((at) => Math.floor(at / stepMs) === step));
      for (const [index, gap] of gaps.entries()) {
        expect(gap.from).toBeLessThan(gap.to);
        expect(gap.from).toBeGreaterThan(gaps[index - 1]?.to ?? -1);
        expect(gap.from).toBeGreaterThanOrEqual(from);
        expect(gap.to).toBeLessThanOrEqual(to);
      }
    }),
  );
});

test('a step that has only begun is no gap: its sample may still come', () => {
  expect(gapsIn([0, 60], { from: 0, to: 179, stepMs })).toEqual([]);
  expect(gapsIn([0, 60], { from: 0, to: 180, stepMs })).toEqual([{ from: 120, to: 180 }]);
});
