import { expect, it } from 'vitest';
import { parseBackfill } from './backfill.ts';

it.each([
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01T00:00', '2026-11-01T00:00:00.000Z'],
  ['2026-11-01 23:59:58', '2026-11-01T23:59:58.000Z'],
  ['2026-11-01T12:00:00.125Z', '2026-11-01T12:00:00.125Z'],
  ['2026-11-01T00:30+01:00', '2026-10-31T23:30:00.000Z'],
])('the time %s is %s', (text, iso) => {
  expect(parseBackfill(text)).toEqual({ kind: 'time', ms: Date.parse(iso) });
});

it.each(['', 'yesterday', '2026-02-30', '2026-13-01', '2026-11-01T24:30', '1969-12-31', '01.11.2026', '1767225600'])(
  'no time: %j',
  (text) => {
    expect(parseBackfill(text)).toBeUndefined();
  },
);

it('the two ends have their words', () => {
  expect([parseBackfill('latest'), parseBackfill('earliest')]).toEqual(['latest', 'earliest']);
});
