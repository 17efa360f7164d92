import { describe, expect, test } from 'vitest';
import { cellsInPlace, columnChangeText, columnsAfter, placedAfter, planColumns } from './column-change.ts';
import type { TableId } from './table-id.ts';

const tableId = 'in.c-shop.orders' as TableId;
const plan = (before: readonly string[], after: readonly string[], renamed: Record<string, string> = {}) =>
  planColumns({
    tableId,
    before,
    after,
    renamed: Object.entries(renamed).map(([from, to]) => ({ from, to })),
  });

describe('how a table gets other columns', () => {
  test.each([
    [['a', 'b'], ['a', 'b', 'c'], {}, { dropped: [], renamed: [], added: ['c'] }],
    [['a', 'b'], ['b'], {}, { dropped: ['a'], renamed: [], added: [] }],
    [['a', 'b'], ['x', 'b'], { a: 'x' }, { dropped: [], renamed: [{ from: 'a', to: 'x' }], added: [] }],
    [['a', 'b', 'c'], ['x', 'c', 'd'], { a: 'x' }, { dropped: ['b'], renamed: [{ from: 'a', to: 'x' }], added: ['d'] }],
    // What was done already is not done again.
    [['x', 'b'], ['x', 'b'], { a: 'x' }, { dropped: [], renamed: [], added: [] }],
  ])('%j ▸ %j', (...[before, after, renamed, expected]) => {
    const change = plan(before, after, renamed);
    expect(change).toEqual({ before, ...expected });
    expect(columnsAfter(change)).toEqual(after);
  });

  test.each([
    [['a', 'b'], ['c', 'a', 'b'], {}, /added ones come last. Give them in this order: "a", "b", "c"/],
    [['a', 'b'], ['b', 'a'], {}, /order: "a", "b"/],
    [['a', 'b'], ['x'], {}, /no column would stay/],
    [['a', 'b'], ['b', 'x'], { n: 'x' }, /no column "n" to be renamed to "x"/],
    [['a', 'b'], ['a', 'b'], { a: 'b' }, /cannot be renamed to "b": the table has that column/],
    [['a', 'b'], ['a', 'b', 'x'], { a: 'x' }, /"a" is renamed to "x", and the sink still has it/],
    [['a', 'b'], ['b'], { a: 'x' }, /renamed to "x", which the sink does not have/],
    [['a', 'b'], ['x'], { a: 'x', b: 'x' }, /two columns are renamed to "x"/],
  ])('D9: refuses %j ▸ %j with %j', (...[before, after, renamed, reason]) => {
    expect(() => plan(before, after, renamed)).toThrow(expect.objectContaining({ code: 'input.invalid' }));
    expect(() => plan(before, after, renamed)).toThrow(reason);
  });

  test('it is said what goes, what is renamed and what comes', () => {
    expect(columnChangeText(plan(['a', 'b', 'c'], ['x', 'c', 'd'], { a: 'x' }))).toEqual([
      'drop column "b" with all its cells',
      'rename column "a" to "x"',
      'add column "d", empty in the rows that are there',
    ]);
  });
});

test('cells follow their columns through several changes; a name that comes back is another column', () => {
  const added = placedAfter(cellsInPlace(['a', 'b']), ['a', 'b', 'c'], []);
  expect(added).toEqual({ columns: ['a', 'b', 'c'], cells: [0, 1, null] });
  const renamed = placedAfter(added, ['x', 'c'], [{ from: 'a', to: 'x' }]);
  expect(renamed).toEqual({ columns: ['x', 'c'], cells: [0, null] });
  expect(placedAfter(renamed, ['x', 'c', 'b', 'a'], [])).toEqual({
    columns: ['x', 'c', 'b', 'a'],
    cells: [0, null, null, null],
  });
});
