import { describe, expect, test } from 'vitest';
import { withChanges } from './with-changes.ts';

interface Shop {
  readonly name: string;
  readonly closed?: object;
  readonly place: Readonly<Record<string, unknown>>;
  readonly goods: readonly string[];
}

const before: Shop = { name: 'a', closed: { since: 1 }, place: { town: 'x', street: 'y' }, goods: ['tea'] };

describe('withChanges', () => {
  test('U3: what others have written meanwhile stays, at every depth', () => {
    const { closed: _, ...open } = before;
    const after = { ...open, place: { ...before.place, town: 'z' } };
    const found = { ...before, name: 'b', place: { town: 'x', street: 'w', floor: 2 }, owner: 'c' };
    expect(withChanges(found, { before, after })).toEqual({
      name: 'b',
      place: { town: 'z', street: 'w', floor: 2 },
      goods: ['tea'],
      owner: 'c',
    });
  });

  test('what the change has made stands against what others have', () => {
    const after = { ...before, name: 'c', goods: ['tea', 'salt'] };
    const found = { ...before, name: 'b', goods: [] };
    expect(withChanges(found, { before, after })).toEqual(after);
  });

  test('nobody else: the document after the change', () => {
    const after = { ...before, place: {}, goods: ['salt'] };
    expect(withChanges(before, { before, after })).toEqual(after);
  });
});
