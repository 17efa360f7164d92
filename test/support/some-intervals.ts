import * as fc from 'fast-check';
import type { Interval } from '../../src/core/progress/intervals.ts';

/** Intervals in order, some empty, the last one perhaps open. */
export const someIntervals: fc.Arbitrary<readonly Interval[]> = fc
  .tuple(fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 5 })), { maxLength: 4 }), fc.boolean())
  .map(([steps, isOpen]) => {
    let at = 0;
    return steps.map(([gap, length], index) => {
      const start = at + gap;
      at = start + length;
      return { start, end: isOpen && index === steps.length - 1 ? null : at };
    });
  });
