import { expect, test } from 'vitest';
import { median, quantile, spreadOf, spreadText } from './statistics.ts';

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7, 1, 5])).toBe(5);
  expect(median([3])).toBe(3);
});

test('no value has no median', () => {
  expect(median([])).toBeNaN();
});

test('a quantile lies between two values in proportion', () => {
  const values = [50, 10, 40, 20, 30];
  expect(quantile(values, 0)).toBe(10);
  expect(quantile(values, 0.25)).toBe(20);
  expect(quantile(values, 0.9)).toBeCloseTo(46);
  expect(quantile(values, 1)).toBe(50);
  expect(values).toEqual([50, 10, 40, 20, 30]);
});

test('a spread is the median with the quartiles, which one outlier does not move far', () => {
  expect(spreadOf([1, 2, 3, 4, 1000])).toEqual({ median: 3, low: 2, high: 4, rounds: 5 });
});

test('a spread is told only of more than one round', () => {
  expect(spreadText(spreadOf([2, 2.2, 2.4, 2.6, 3]), 1)).toBe('2.4 (2.2–2.6)');
  expect(spreadText(spreadOf([2]), 2)).toBe('2.00');
});
