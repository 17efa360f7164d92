import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseForm } from './form-body.ts';

test('random bytes never throw', () => {
  const unit = fc.constantFrom('a', 'b', '0', '9', '[', ']', '=', '&', '%', '%41', '+', ';', 'ü');
  const texts = fc.array(unit, { maxLength: 30 }).map((parts) => Buffer.from(parts.join('')));
  fc.assert(
    fc.property(fc.oneof(texts, fc.uint8Array()), (body) => {
      expect(['form', 'invalid']).toContain(parseForm(body).kind);
    }),
    { numRuns: 1000 },
  );
});

test('flat fields are what URLSearchParams reads', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
  const name = text.filter((value) => value !== '' && !/[[\]]/.test(value));
  fc.assert(
    fc.property(fc.dictionary(name, text), (fields) => {
      const body = new URLSearchParams(fields).toString();
      const form = parseForm(Buffer.from(body));
      expect(form).toEqual({
        kind: 'form',
        root: new Map(Object.entries(Object.fromEntries(new URLSearchParams(body)))),
      });
    }),
  );
});
