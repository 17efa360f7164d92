import { describe, expect, test } from 'vitest';
import { deadLetterTable, isReservedTable, parseTableId, tableName } from './table-id.ts';

describe('table ids', () => {
  test('D8: a message repeats no more of a text than an id can have', () => {
    for (const text of ['x'.repeat(100_000), `${'x'.repeat(100_000)}.b.t`, `in.${'x'.repeat(100_000)}.t`]) {
      expect(() => parseTableId(text)).toThrow(/^.{0,1000}$/);
    }
  });

  test.each([
    ['in.c-shop.orders', { stage: 'in', bucket: 'c-shop', table: 'orders' }],
    ['out.Köln_1.t-2', { stage: 'out', bucket: 'Köln_1', table: 't-2' }],
    [deadLetterTable, { stage: 'sys', bucket: 'c-millrace', table: 'dead_letters' }],
  ])('%s has a stage, a bucket and a table', (text, parts) => {
    expect(tableName(parseTableId(text))).toEqual(parts);
  });

  test.each([
    [deadLetterTable, true],
    ['sys.C-Millrace.orders', true],
    ['in.c-millrace.dead_letters', false],
    ['sys.c-shop.dead_letters', false],
  ])('D6: %s is kept for the product, in any letter case: %j', (text, reserved) => {
    expect(isReservedTable(parseTableId(text))).toBe(reserved);
  });

  test.each([
    ['', 'table ID cannot be empty'],
    ['a.b', 'invalid table ID "a.b": unexpected number of fragments'],
    ['in.a.b.c', 'unexpected number of fragments'],
    ['a.b.c', 'invalid bucket ID "a.b": unexpected stage "a"'],
    ['in..t', 'the bucket name cannot be empty'],
    ['in.b.', 'the table name cannot be empty'],
    [`in.b.${'t'.repeat(97)}`, 'the table name is longer than 96 characters'],
    ['in.b.a"b', 'the table name may hold letters, digits, "_" and "-" only'],
  ])('D9: %j is refused with its value and the rule', (text, rule) => {
    expect(() => parseTableId(text)).toThrow(`Invalid "tableId" value "${text}": `);
    expect(() => parseTableId(text)).toThrow(rule);
  });
});
