import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCells } from '../../test/support/mapping-fixture.ts';
import { LineWriter } from './line-writer.ts';

test('texts and bytes make the same line, and a CSV reader reads it back', () => {
  const text = fc.string({ unit: 'grapheme' }).map((value) => value.toWellFormed());
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (cells) => {
      const [texts, bytes] = [new LineWriter(1), new LineWriter(1)];
      for (const writer of [texts, bytes]) writer.begin();
      for (const cell of cells) {
        const encoded = Buffer.from(`<${cell}>`);
        expect(texts.writeText(cell)).toBe(true);
        expect(bytes.writeBytes(encoded, 1, encoded.length - 1)).toBe(true);
      }
      for (const writer of [texts, bytes]) writer.end();
      expect(texts.line().toString()).toBe(bytes.line().toString());
      expect(csvCells(texts.line().toString())).toEqual(cells);
    }),
  );
});

test('lines stand one behind the other, and those before stay as they were', () => {
  const writer = new LineWriter(4);
  const lines = ['a', 'b"', 'ü'].map((cell) => {
    writer.begin();
    writer.writeText(cell);
    writer.end();
    return writer.line();
  });
  const texts = ['"a"\n', '"b"""\n', '"ü"\n'];
  expect(lines.map((line) => line.toString())).toEqual(texts);
  expect(writer.length).toBe(Buffer.byteLength(texts.join('')));
  writer.clear();
  expect(writer.length).toBe(0);
});

test('D8: a cell that does not fit into the line is not written, the line end included', () => {
  const cells = ['""', '"ü"', 'abc', ''];
  fc.assert(
    fc.property(fc.subarray(cells), fc.integer({ min: 0, max: 40 }), (texts, maxBytes) => {
      const writer = new LineWriter(1);
      writer.begin();
      writer.end();
      writer.begin(maxBytes);
      for (const text of texts) {
        const before = writer.line().toString();
        const grown = `${before}${before === '' ? '' : ','}"${text.replaceAll('"', '""')}"`;
        const fits = Buffer.byteLength(grown) + 1 <= maxBytes;
        expect(writer.writeText(text)).toBe(fits);
        expect(writer.line().toString()).toBe(fits ? grown : before);
      }
    }),
  );
});

test('base64 makes the same cell written as plain text, and none where a text would not fit', () => {
  fc.assert(
    fc.property(fc.base64String(), fc.integer({ min: 1, max: 60 }), (text, maxBytes) => {
      const [plain, checked] = [new LineWriter(1), new LineWriter(1)];
      for (const writer of [plain, checked]) writer.begin(maxBytes);
      expect(plain.writePlain(text)).toBe(checked.writeText(text));
      expect(plain.writePlain(text)).toBe(checked.writeText(text));
      expect(plain.line()).toEqual(checked.line());
    }),
  );
});

test('D8: the memory of a very long line is given back', () => {
  const writer = new LineWriter(64);
  writer.begin(64 * 1024 ** 2);
  writer.writePlain('x'.repeat(20 * 1024 ** 2));
  const { buffer } = writer.line();
  expect(buffer.byteLength).toBeGreaterThan(20 * 1024 ** 2);
  writer.clear();
  writer.begin();
  writer.writePlain('x');
  expect(writer.line().buffer.byteLength).toBeLessThan(1024 ** 2);
});

test('the length of a line is that of its view, whatever lines stand before it', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }))), (lines) => {
      const writer = new LineWriter();
      for (const cells of lines) {
        writer.begin();
        for (const cell of cells) writer.writeText(cell);
        writer.end();
        expect(writer.lineLength).toBe(writer.line().length);
      }
    }),
  );
});
