import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { boundsOf } from './bounds.ts';
import { costs, target } from './costs.ts';
import { begin, end, scaleTables } from './page.ts';
import { partitionsOf, ratesOf, simulate, sinkOf } from './simulate.ts';

it('the tables of the page are what the script prints', () => {
  const page = readFileSync(new URL('../../../docs/scale.md', import.meta.url), 'utf8');
  expect(page.slice(page.indexOf(begin) + begin.length, page.indexOf(end))).toBe(`\n\n${scaleTables(target, costs)}\n`);
});

it('a sink with few events stages each 30 seconds and imports each minute; one with many does both by rows', () => {
  const slow = sinkOf(100, 1, 300);
  expect(slow.slices).toBeCloseTo(1 / 30, 2);
  expect(slow.imports).toBeCloseTo(1 / 60, 2);
  const fast = sinkOf(100_000, 4, 300);
  expect(fast.slices).toBeCloseTo(10, 0);
  expect(fast.imports).toBeCloseTo(2, 0);
});

it('the events of all sources are those of the target, and a large source has the partitions that it needs', () => {
  const rates = ratesOf(target);
  expect(rates.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(target.events);
  expect([rates[0], rates.at(-1)].map((rate) => partitionsOf(rate ?? 0, costs))).toEqual([3, 1]);
  expect(simulate(target, costs).partitions).toBeGreaterThanOrEqual(target.sources + target.sinks);
});

it('what is reached first is at the top, and half the target is reached by twice the share', () => {
  const shares = boundsOf(target, costs).flatMap(({ share }) => share ?? []);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  const connections = (events: number): number =>
    boundsOf({ ...target, events }, costs).find(({ what }) => what.startsWith('the table store'))?.share ?? 0;
  expect(connections(target.events / 2)).toBeCloseTo(2 * connections(target.events));
});
