import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { awkwardCells } from '../../../test/contract/awkward-cells.ts';
import { csvOf } from '../../../test/contract/staged-csv.ts';
import { CheckedCsv } from './checked-csv.ts';

const cell = fc.oneof(
  fc.constantFrom(...awkwardCells),
  fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', '\\', 'a', 'é'), maxLength: 20 }),
);
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 30 });

function check(bytes: Uint8Array, chunkBytes: number): CheckedCsv {
  const csv = new CheckedCsv('slice');
  for (let at = 0; at < bytes.length; at += chunkBytes) csv.chunk(bytes.subarray(at, at + chunkBytes));
  csv.end();
  return csv;
}

describe('CSV that goes by', () => {
  it('what staging writes is taken, however it is cut, and its lines are counted and measured', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 50 }), (some, chunkBytes) => {
        const lines = some.map((row) => Buffer.from(csvOf([row])));
        const csv = check(Buffer.concat(lines), chunkBytes);
        expect(csv.rows).toBe(some.length);
        expect(csv.longestLineBytes).toBe(Math.max(0, ...lines.map(({ length }) => length)));
      }),
    );
  });

  it('D9: a file that was cut off within a line is refused', () => {
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), fc.nat(), (row, at) => {
        const whole = Buffer.from(csvOf([row]));
        const cut = whole.subarray(0, 1 + (at % (whole.length - 1)));
        expect(() => check(cut, 7)).toThrow(expect.objectContaining({ code: 'table.invalidContent' }));
      }),
    );
  });

  it.each([
    ['a,b\n', 'line 1 of "slice" is not as staged: a cell is not quoted'],
    ['"a","b"\n"c" ,"d"\n', 'line 2 of "slice" is not as staged: there is text after the quote that ends a cell'],
    ['"a"\r\n', 'line 1 of "slice" is not as staged: there is text after the quote that ends a cell'],
    ['"a",\n', 'line 1 of "slice" is not as staged: a cell is not quoted'],
    ['"a', 'line 1 of "slice" is not as staged: the last cell has no end'],
    ['"a\0"\n', '"slice" cannot be loaded: it holds the character U+0000, which no text of PostgreSQL can hold'],
  ])('D9: %j is refused, and shows no cell', (text, message) => {
    expect(() => check(Buffer.from(text), 100)).toThrow(message);
  });
});
