import { expect, test } from 'vitest';
import type { Incarnation } from '../../core/ids.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { TableId } from '../../core/table-id.ts';
import { placedIn } from './table-fit.ts';

const [orders, other] = ['in.c-shop.orders', 'in.c-shop.other'] as TableId[] as [TableId, TableId];

/** A mapping to these columns; each follows the version before it. */
function mapping(version: number, names: string, more: Partial<Mapping> = {}): Mapping {
  const columns = names.split(' ').map((name) => ({ type: 'uuid' as const, name }));
  const follows = version === 1 ? {} : { follows: version - 1 };
  return { incarnation: 1 as Incarnation, version, tableId: orders, columns, allowedSignals: [], ...follows, ...more };
}

const altered = (...renamed: readonly [from: string, to: string][]): Partial<Mapping> => ({
  altered: { renamed: renamed.map(([from, to]) => ({ from, to })) },
});

const first = mapping(1, 'a b');

test('rows of the mapping in use, and of one before with the same columns, go to their own', () => {
  expect(placedIn(['a', 'b'], { all: [first], mapping: first, inUse: 1 })).toEqual({
    columns: ['a', 'b'],
    cells: [0, 1],
  });
  const all = [first, mapping(2, 'a b')];
  expect(placedIn(['a', 'b'], { all, mapping: first, inUse: 2 })).toEqual({ columns: ['a', 'b'], cells: [0, 1] });
});

test('D2: rows of a mapping before the columns changed go to their places, through several changes', () => {
  const all = [
    first,
    mapping(2, 'a b c', altered()),
    mapping(3, 'x', { tableId: other }),
    mapping(4, 'z c', altered(['b', 'z'])),
    mapping(5, 'z c'),
  ];
  expect(placedIn(['z', 'c'], { all, mapping: first, inUse: 5 })).toEqual({ columns: ['z', 'c'], cells: [1, null] });
});

test('a column that was dropped and came back under its name has none of the cells of the former one', () => {
  const all = [first, mapping(2, 'b', altered()), mapping(3, 'b a', altered())];
  expect(placedIn(['b', 'a'], { all, mapping: first, inUse: 3 })).toEqual({ columns: ['b', 'a'], cells: [1, null] });
});

test('a mapping that was never used says nothing', () => {
  const all = [first, mapping(2, 'z', altered(['a', 'z'])), mapping(3, 'b y', { follows: 1, ...altered(['a', 'y']) })];
  const bent = { ...mapping(3, 'y b', { follows: 1, ...altered(['a', 'y']) }) };
  expect(placedIn(['y', 'b'], { all: [...all.slice(0, 2), bent], mapping: first, inUse: 3 })).toEqual({
    columns: ['y', 'b'],
    cells: [0, 1],
  });
});

test('while a table has changed and its mapping is about to be used, rows go to their places in it', () => {
  const all = [first, mapping(2, 'a b c', altered())];
  expect(placedIn(['a', 'b', 'c'], { all, mapping: first, inUse: 1 })).toEqual({
    columns: ['a', 'b', 'c'],
    cells: [0, 1, null],
  });
  // It follows another one than the mapping in use: it was given up.
  const given = [first, mapping(2, 'a b', { follows: 1 }), mapping(3, 'a b c', { follows: 1, ...altered() })];
  expect(placedIn(['a', 'b', 'c'], { all: given, mapping: first, inUse: 2 })).toBe('unknown');
});

test('columns that nobody wrote down are unknown', () => {
  expect(placedIn(['a'], { all: [first], mapping: first, inUse: 1 })).toBe('unknown');
  expect(placedIn(['a'], { all: [first, mapping(2, 'a')], mapping: first, inUse: 2 })).toBe('unknown');
  const ofOther = [first, mapping(2, 'a', { tableId: other, ...altered() })];
  expect(placedIn(['a'], { all: ofOther, mapping: first, inUse: 1 })).toBe('unknown');
});

test('where an earlier release wrote no successions, one version follows the other', () => {
  const all = [first, mapping(2, 'a b'), mapping(4, 'a b c', { follows: 2, ...altered() })].map((one) =>
    one.version === 2 ? { ...one, follows: undefined } : one,
  );
  const lineage = { all: all as readonly Mapping[], mapping: first, inUse: 4 };
  expect(placedIn(['a', 'b', 'c'], lineage)).toEqual({ columns: ['a', 'b', 'c'], cells: [0, 1, null] });
});
