import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SharedCounts } from './shared-counts.ts';

const threads = 3;
const name = fc.integer({ min: 1, max: 300 }).map((n) => `10.0.0.${n}`);
const step = fc.record({ thread: fc.nat(threads - 1), name, count: fc.integer({ min: 0, max: 5 }) });
const clearing = fc.record({ thread: fc.nat(threads - 1), clears: fc.constant(true) });

it('D8: each thread sees what the others have counted of a name, however full the tables are', () => {
  const history = fc.array(fc.oneof({ arbitrary: step, weight: 30 }, clearing), { maxLength: 400 });
  const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(history, seeds, (steps, seed) => {
      const tables = SharedCounts.tables({ threads, names: 60, seed });
      const counts = Array.from({ length: threads }, (_, own) => new SharedCounts(tables, own));
      const told = Array.from({ length: threads }, () => new Map<string, number>());
      const toldOf = (thread: number, of: string): number => told[thread]?.get(of) ?? 0;
      for (const one of steps) {
        if ('clears' in one) {
          counts[one.thread]?.clear();
          told[one.thread]?.clear();
          continue;
        }
        const isTold = counts[one.thread]?.set(one.name, one.count) === true;
        // What has a place keeps it.
        expect(isTold || toldOf(one.thread, one.name) === 0).toBe(true);
        told[one.thread]?.set(one.name, isTold ? one.count : 0);
        for (const [own, seen] of counts.entries()) {
          const others = [...told.keys()].filter((thread) => thread !== own);
          expect(seen.others(one.name)).toBe(others.reduce((sum, thread) => sum + toldOf(thread, one.name), 0));
        }
      }
    }),
  );
});

it('as many names as it is made for have a place', () => {
  const counts = new SharedCounts(SharedCounts.tables({ threads: 2, names: 1000, seed: 7 }), 0);
  const placed = Array.from({ length: 1000 }, (_, at) => counts.set(`10.1.${at >> 8}.${at & 255}`, 1));
  expect(placed.filter((isTold) => isTold).length).toBeGreaterThan(990);
});
