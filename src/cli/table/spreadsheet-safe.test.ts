import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { spreadsheetSafe } from './spreadsheet-safe.ts';

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
}

function safe(chunks: readonly Buffer[]): Promise<string> {
  return text(Readable.from(chunks).pipe(spreadsheetSafe()));
}

it('a cell that begins as a formula gets an apostrophe, and no other one', async () => {
  const cells = ['=1+1', '+1', '-1', '@A', '\t=1', '\r=1', "'=1", 'a=1', '', '"=1', ',"=1', 'a\n=1', ' =1'];
  const made = ["'=1+1", "'+1", "'-1", "'@A", "'\t=1", "'\r=1", ...cells.slice(6)];
  expect(await safe([Buffer.from(lineOf(cells))])).toBe(lineOf(made));
});

it('wherever the table is cut into pieces', async () => {
  const cell = fc.string({ unit: fc.constantFrom('=', '"', ',', '\n', 'a', '-', 'ž'), maxLength: 5 });
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), async (table, size) => {
      const bytes = Buffer.from(table.map(lineOf).join(''));
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const expected = table.map((row) => lineOf(row.map((one) => (/^[=-]/.test(one) ? `'${one}` : one)))).join('');
      expect(await safe(pieces)).toBe(expected);
    }),
  );
});
