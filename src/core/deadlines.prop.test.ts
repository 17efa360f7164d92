import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Deadlines } from './deadlines.ts';

type Step = { readonly kind: 'set' | 'delete' | 'take'; readonly each: number; readonly at: number };

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('set', 'set', 'set', 'delete', 'take'),
  each: fc.nat(20),
  at: fc.oneof(
    { arbitrary: fc.nat(50), weight: 20 },
    fc.constantFrom(Number.NaN, Infinity, -Infinity, Number.MAX_VALUE),
  ),
});

it('D5: whatever is set anew, taken out and taken, also at what is no number, each is due at the last deadline that it got, and the first of them is known', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const deadlines = new Deadlines<number>();
      const model = new Map<number, number>();
      for (const { kind, each, at } of steps) {
        if (kind === 'set') {
          deadlines.set(each, at);
          model.set(each, Number.isNaN(at) ? -Infinity : at);
        } else if (kind === 'delete') {
          deadlines.delete(each);
          model.delete(each);
        }
        const now = kind === 'take' ? at : -1;
        const due = [...model].filter(([, of]) => of <= now);
        const taken = deadlines.take(now);
        expect(taken.toSorted((a, b) => a - b)).toEqual(due.map(([one]) => one).toSorted((a, b) => a - b));
        const times = taken.map((one) => model.get(one) ?? 0);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        for (const [one] of due) model.delete(one);
        expect(deadlines.first).toBe(Math.min(...model.values()));
        expect(deadlines.size).toBe(model.size);
      }
    }),
  );
});

it('D8: one that is set anew again and again leaves nothing behind', () => {
  const deadlines = new Deadlines<string>();
  for (let at = 0; at < 100_000; at += 1) deadlines.set('one', 1e6 - at);
  deadlines.set('other', 0);
  expect(deadlines.take(2e6)).toEqual(['other', 'one']);
  expect(deadlines.first).toBe(Number.POSITIVE_INFINITY);
});
