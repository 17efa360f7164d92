import { expect, test } from 'vitest';
import { columnMismatch, namedColumns } from './table-fault.ts';
import { parseTableId } from './table-id.ts';

const table = { tableId: parseTableId('in.c-shop.orders'), expected: ['a', 'b'] };

test('columns of the same names in the same order, all of them as they were made, match', () => {
  expect(columnMismatch({ ...table, found: namedColumns(['a', 'b']) })).toBeUndefined();
});

test.each([
  [['b', 'a'], '["b", "a"]'],
  [['a'], '["a"]'],
  [[], '[]'],
])('columns %j do not match, and both are said', (names, found) => {
  expect(columnMismatch({ ...table, found: namedColumns(names) })).toMatchObject({
    code: 'table.schemaMismatch',
    message: `columns of the table "in.c-shop.orders" do not match expected ["a", "b"], found ${found}`,
  });
});

test('D6: a column that is no text, or anything else that is wrong, is no match, and is said', () => {
  const found = [{ name: 'a' }, { name: 'b', fault: 'INTEGER' }];
  expect(columnMismatch({ ...table, found })?.message).toMatch(/found \["a", "b" \(INTEGER\)\]$/);
  const lack = ', without its number';
  expect(columnMismatch({ ...table, found: namedColumns(['a', 'b']), lack })?.message).toMatch(
    /"b"\], without its number$/,
  );
});
