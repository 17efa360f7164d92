import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvReader } from './csv-reader.ts';

const rfc = { delimiter: ',', enclosure: '"', escapedBy: '' };

function read(pieces: readonly string[], form = rfc): readonly (readonly string[])[] {
  const reader = new CsvReader(form);
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()].map(({ cells }) => cells);
}

describe('B6: a CSV', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a\rb\r', [['a'], ['b']]],
    ['"a ""x""","b\nc\r\nd"\n', [['a "x"', 'b\nc\r\nd']]],
    [
      'a,\n,\n',
      [
        ['a', ''],
        ['', ''],
      ],
    ],
    ['"",""\n', [['', '']]],
    ['a\n\nb\n', [['a'], [''], ['b']]],
    ['', []],
    ['a', [['a']]],
    ['"a"', [['a']]],
    ['a,', [['a', '']]],
  ])('%j is taken apart', (text, rows) => {
    expect(read([text])).toEqual(rows);
  });

  it('is read with other delimiters, enclosures and escapes', () => {
    expect(read(["'a\\'b'\t'c''d'\te\n"], { delimiter: '\t', enclosure: "'", escapedBy: '\\' })).toEqual([
      ["a'b", "c'd", 'e'],
    ]);
    expect(read(['a"b;c\n'], { delimiter: ';', enclosure: '', escapedBy: '' })).toEqual([['a"b', 'c']]);
  });

  it('is the same in whatever pieces it comes', () => {
    const cell = fc
      .array(fc.constantFrom('a', 'b', '"', ',', '\r', '\n', '\\', 'é', '😀'), { maxLength: 6 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 3 })), fc.array(fc.nat(20)), (rows, cuts) => {
        const text = rows
          .map((cells) => `${cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')}\r\n`)
          .join('');
        const pieces: string[] = [];
        let from = 0;
        for (const cut of cuts) {
          pieces.push(text.slice(from, from + cut));
          from += cut;
        }
        expect(read([...pieces, text.slice(from)])).toEqual(rows);
      }),
    );
  });

  it.each([
    ['a,b\n1,x"y\n', 'Line 2, column 2: "\\"" stands inside a cell that is not enclosed'],
    ['a\n"1"x\n', 'Line 2, column 1: a closed cell is followed by "x"'],
    ['a,b\n"1\n2\n3",4\n5,"6', 'Line 5, column 2: the cell that begins here is not closed'],
    ['a\n\u0000\n', 'Line 2, column 1: a cell cannot hold the character U+0000'],
    [`a\n${'x'.repeat(1_600_000)}\n`, 'Line 2, column 1: a row has at most 1572864 bytes'],
    [`${'a,'.repeat(1001)}\n`, 'Line 1, column 1002: a row has at most 1000 cells'],
  ])('that is none is refused with line and column: %#', (text, message) => {
    expect(() => read([text])).toThrow(
      expect.objectContaining({ code: 'import.invalid', message: expect.stringContaining(message) as string }),
    );
  });
});
