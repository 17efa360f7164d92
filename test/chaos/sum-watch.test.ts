import { expect, it } from 'vitest';
import type { Numbers } from '../support/shop.ts';
import { isSumKnown } from './sum-watch.ts';

const none = { holes: 0, none: 0, givenUp: 0, staged: 0, inFlight: 0, filtered: 0, difference: 0 };
const totals: Numbers = { ...none, accepted: 9, imported: 6, dead: 3 };

it('a look at a sum that does not hold, or at witnesses who disagree, ends the crash test', () => {
  expect(isSumKnown('a', { totals })).toBe(true);
  for (const wrong of [{ dead: 2 }, { accepted: 8 }, { staged: 1 }, { difference: 1 }])
    expect(() => isSumKnown('a', { totals: { ...totals, ...wrong } })).toThrow(/D4: sink "a" accepted/);
});

it('a log that is away tells no sum, and witnesses agree all the same', () => {
  const away = { ...totals, accepted: null, inFlight: null } as unknown as Numbers;
  expect(isSumKnown('a', { totals: away })).toBe(false);
  expect(() => isSumKnown('a', { totals: { ...away, difference: 2 } })).toThrow(/D4: sink "a"/);
});
