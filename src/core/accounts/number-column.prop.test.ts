import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendToColumn, numberColumnPattern, readColumn } from './number-column.ts';

const numbers = fc.array(fc.oneof(fc.constantFrom(0, 7), fc.maxSafeNat(), fc.nat(50)), {
  maxLength: 80,
});

function written(all: readonly number[]): string {
  return all.reduce((column, number) => appendToColumn(column, number), '');
}

test('N3: a column has the numbers that were appended to it, whatever they are', () => {
  fc.assert(
    fc.property(numbers, (all) => {
      const column = written(all);
      expect(readColumn(column)).toEqual(all);
      expect(column).toMatch(numberColumnPattern);
    }),
  );
});

test('numbers that stay as they are take no room', () => {
  expect(written(Array.from({ length: 60 }, () => 1_234_567))).toBe('1234567 *59');
  expect(written([100, 105, 105, 105, 104])).toBe('100 5 *2 -1');
  expect(written([3, 3, 4, 4])).toBe('3 *1 1 *1');
});

test('a text that is no column is none', () => {
  for (const text of ['*3', '1  2', '1 x', ' 1', '1.5']) expect(text).not.toMatch(numberColumnPattern);
});
