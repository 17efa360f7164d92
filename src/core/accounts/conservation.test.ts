import { expect, it } from 'vitest';
import { sumDifferences, wholeDifference } from './conservation.ts';

const none = { document: 0, ledgerRows: undefined, ledgerDead: undefined, log: undefined };

it('D4: differences of several incarnations do not make up for each other, and what is known of one counts', () => {
  const sum = sumDifferences([
    { ...none, ledgerRows: 3 },
    { ...none, ledgerRows: -3, log: 1 },
  ]);
  expect(sum).toEqual({ ...none, ledgerRows: 6, log: 1 });
  expect(wholeDifference(sum)).toBe(7);
  expect(sumDifferences([{ ...none, ledgerRows: -3 }])).toEqual({ ...none, ledgerRows: -3 });
});
