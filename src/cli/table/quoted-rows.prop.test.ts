import { assert, array, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { previewCsv } from '../../api/views/table-view.ts';
import { quotedRows } from './quoted-rows.ts';

const cell = string({ unit: 'binary' });

it('reads back what a preview writes, whatever the cells hold', () => {
  assert(
    property(array(array(cell, { minLength: 3, maxLength: 3 })), (rows) => {
      const columns = ['a', 'b "', 'c,\n'];
      const expected = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
      expect(quotedRows(previewCsv({ columns, rows }))).toEqual(expected);
    }),
  );
});

it.each(['', '<html>', '"a"\n"b', '"a"\n"b",', '"a"\nb\n', '"a"x\n'])(
  'is undefined for %j, which is no such text',
  (text) => {
    expect(quotedRows(text)).toBeUndefined();
  },
);

it('reads a cell of a megabyte', () => {
  const long = 'x"'.repeat(500_000);
  expect(quotedRows(previewCsv({ columns: ['a'], rows: [[long]] }))).toEqual([{ a: long }]);
});
