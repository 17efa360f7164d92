import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { WireText } from '../wire/wire-text.ts';
import { constant, JsonWriter, tooLarge, viewOf } from './json-writer.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 600 }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\u007f', 'é', '🙂', 'x'), maxLength: 600 }),
);

function wireText(text: string): WireText {
  const bytes = constant(`?${text}?`);
  const isPlain = JSON.stringify(text) === `"${text}"`;
  return new WireText(viewOf(bytes), { start: 1, end: bytes.length - 1, isPlain });
}

test('A19: a string of JSON is that of JSON.stringify, of a string and of bytes in a body', () => {
  const out = new JsonWriter();
  fc.assert(
    fc.property(texts, (text) => {
      out.text(text);
      expect(String(out.finish())).toBe(JSON.stringify(text));
      if (text === '') return;
      out.text(wireText(text));
      expect(String(out.finish())).toBe(JSON.stringify(text));
    }),
    { numRuns: 1000 },
  );
});

test('halves of pairs, which a body of UTF-8 has none of, are escaped', () => {
  const out = new JsonWriter();
  out.text('\ud800');
  expect(String(out.finish())).toBe(String.raw`"\ud800"`);
});

test('A19: an integer has all its digits', () => {
  const out = new JsonWriter();
  const integers = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer(),
    fc.nat(200),
    fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n),
    fc.constantFrom(0, -0, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), 10, 99, 100),
  );
  fc.assert(
    fc.property(integers, (value) => {
      out.integer(value);
      expect(String(out.finish())).toBe(String(value));
    }),
    { numRuns: 1000 },
  );
});

test('A19: a number is that of JSON.stringify, and what JSON has no number for is a string', () => {
  const out = new JsonWriter();
  const decimals = fc.tuple(fc.integer(), fc.constantFrom(1, 10, 100, 1000, 10_000)).map(([all, unit]) => all / unit);
  const edges = fc.constantFrom(-0, 0.001, 0.0005, 0.1 + 0.2, 999_999.999, 999_999.9995, 1_000_000.5, 1e-7, 5e-324);
  const numbers = fc.oneof(decimals, edges, fc.double(), fc.float());
  fc.assert(
    fc.property(numbers, (value) => {
      out.double(value);
      expect(String(out.finish())).toBe(Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`);
    }),
    { numRuns: 5000 },
  );
});

test('texts share memory, and none changes when others are written', () => {
  const out = new JsonWriter();
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 50 }), (some) => {
      const written = some.map((text) => {
        out.text(text);
        return out.finish();
      });
      expect(written.map(String)).toEqual(some.map((text) => JSON.stringify(text)));
    }),
    { numRuns: 50 },
  );
});

test('D8: a text that is larger than allowed is given up before it takes much memory, and the next one is whole', () => {
  const out = new JsonWriter(1000);
  out.text('x'.repeat(998));
  expect(out.finish()?.length).toBe(1000);
  out.text('x'.repeat(999));
  expect(out.finish()).toBeUndefined();
  const write = (): void => {
    for (let part = 0; part < 10_000; part += 1) out.text('x'.repeat(900));
  };
  expect(write).toThrow(tooLarge);
  out.discard();
  out.text(wireText('"'));
  expect(String(out.finish())).toBe(String.raw`"\""`);
});
