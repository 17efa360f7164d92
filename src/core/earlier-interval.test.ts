import { expect, test } from 'vitest';
import { earlierIntervalMs } from './earlier-interval.ts';
import { parseIncarnation } from './ids.ts';

const incarnations = Array.from({ length: 200 }, (_, index) => parseIncarnation(index + 1));

test('D5: sinks of one interval are due one after the other, none later than the interval', () => {
  const due = incarnations.map((incarnation) => earlierIntervalMs(60_000, incarnation)).toSorted((a, b) => a - b);
  expect(due[0]).toBeGreaterThanOrEqual(48_000);
  expect(due.at(-1)).toBeLessThanOrEqual(60_000);
  for (const [index, at] of due.entries()) expect(at - (due[index - 20] ?? 0)).toBeGreaterThan(1000);
});

test('D5: of a long interval at most a minute is taken off, of none nothing', () => {
  for (const incarnation of incarnations) {
    expect(earlierIntervalMs(86_400_000, incarnation)).toBeGreaterThanOrEqual(86_340_000);
    expect(earlierIntervalMs(0, incarnation)).toBe(0);
  }
});
