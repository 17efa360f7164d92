import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LatestRows } from './latest-rows.ts';

test('the latest rows are the last ones of all in their order, and of equal ones those that came last', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 9 }), (keys, most) => {
      const rows = keys.map((key, at) => ({ key, at }));
      const latest = new LatestRows<(typeof rows)[number]>(most, (one, other) => one.key - other.key);
      for (const row of rows) latest.add(row);
      expect(latest.seen).toBe(rows.length);
      expect(latest.rows()).toEqual(rows.toSorted((one, other) => one.key - other.key).slice(-most));
    }),
  );
});
