import { expect, test } from 'vitest';
import { freshnessTargetMs } from './freshness.ts';

test('the target of a sink is two rounds of its triggers, and a minute at least', () => {
  const of = (staging: number, target: number): number =>
    freshnessTargetMs({ staging: { intervalMs: staging }, target: { intervalMs: target } });
  expect(of(30_000, 60_000)).toBe(180_000);
  expect(of(1000, 1000)).toBe(60_000);
});
