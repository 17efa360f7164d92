import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mostJsonBytes, writeJsonTexts } from './json-texts.ts';

/** At the borders of what is written as it is, and of what JSON escapes. */
const printable = ['a', ' ', '~', '"', '\\', '/'];
const others = ['\n', '\u0000', '\u001f', '\u007f', '\u0080', '\u00ff', 'ř', '\u2028', '\ud800', '\udc00', '\u{1f600}'];
const border = fc.constantFrom(...printable, ...others);
const plain = fc.constantFrom('', 'millrace-id', ' ~');
const text = fc.oneof(
  fc.tuple(plain, border, plain).map((parts) => parts.join('')),
  fc.string({ unit: border }),
  fc.string({ unit: 'binary' }),
  fc.uuid(),
);

it('writes what JSON.stringify would, into no more room than it asks for', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), fc.nat(10), (texts, at) => {
      const memory = Buffer.alloc(at + mostJsonBytes(texts), 0x78);
      const end = writeJsonTexts(texts, memory, at);
      expect(memory.toString('utf8', 0, end)).toBe('x'.repeat(at) + JSON.stringify(texts));
      expect(end).toBe(at + Buffer.byteLength(JSON.stringify(texts)));
    }),
    { numRuns: 1000 },
  );
});
