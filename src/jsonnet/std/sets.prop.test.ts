import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const evaluate = (source: string): unknown => JSON.parse(compile(source).evaluate());
const numbers = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 30 });
const ascending = (values: Iterable<number>): number[] => [...new Set(values)].toSorted((a, b) => a - b);

describe('sets', () => {
  it('are the sets of mathematics', () => {
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        const source = `local a = std.set(${JSON.stringify(left)}), b = std.set(${JSON.stringify(right)});
          [a, std.setUnion(a, b), std.setInter(a, b), std.setDiff(a, b), [x for x in a if std.setMember(x, b)]]`;
        const both = left.filter((value) => right.includes(value));
        const onlyLeft = left.filter((value) => !right.includes(value));
        const expected = [left, [...left, ...right], both, onlyLeft, both];
        expect(evaluate(source)).toEqual(expected.map(ascending));
      }),
      { numRuns: 60 },
    );
  });

  it('sort is stable and loses nothing', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const rows = values.map((key, index) => ({ index, key }));
        const sorted = rows.toSorted((a, b) => a.key - b.key);
        expect(evaluate(`std.sort(${JSON.stringify(rows)}, function(row) row.key)`)).toEqual(sorted);
      }),
      { numRuns: 60 },
    );
  });
});
