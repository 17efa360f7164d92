import { isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSentAsText, OneJsonText } from './one-json-text.ts';

function isObjectOrArray(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isUtf8(body) && typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

test('A46: one JSON text is what JSON.parse takes as an object or an array, and UTF-8', () => {
  const blank = fc.constantFrom('', ' ', '\r\n\t', '\u00a0', '\ufeff');
  const json = fc.tuple(blank, fc.json(), blank).map((parts) => Buffer.from(parts.join('')));
  const changed = fc.tuple(json, fc.nat(), fc.constantFrom('', '"', '{', '[]', '=', '\\')).map(([body, at, put]) => {
    const place = at % (body.length + 1);
    return Buffer.concat([body.subarray(0, place), Buffer.from(put), body.subarray(place)]);
  });
  const bytes = fc.tuple(json, fc.uint8Array({ maxLength: 2 })).map((parts) => Buffer.concat(parts));
  fc.assert(
    fc.property(fc.oneof(json, changed, bytes), (body) => {
      expect(new OneJsonText(body).isOne).toBe(isObjectOrArray(body));
    }),
    { numRuns: 1000 },
  );
  expect(new OneJsonText(Buffer.from('{"ÿ":1}', 'latin1')).isOne).toBe(false);
  expect(new OneJsonText(Buffer.from('{"ÿ":1}')).isOne).toBe(true);
});

test.each([
  ['application/x-www-form-urlencoded', true],
  [' Text/PLAIN ;charset=utf-8', true],
  ['application/json', false],
  ['text/plainer', false],
  ['', false],
])('A46: a content type of %j is one of senders that do not say: %s', (contentType, is) => {
  expect(isSentAsText(contentType)).toBe(is);
});
