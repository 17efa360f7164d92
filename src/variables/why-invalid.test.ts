import * as fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { jsonTokens } from '../core/json-tokens.ts';
import { whyInvalid } from './why-invalid.ts';

const control = 'Control character error, possibly incorrectly encoded';

it.each([
  ['{"a":"value""}', control],
  ['{"a":"b', control],
  ['{"a":"b\nc"}', control],
  ['{"a":"\u0001"}', control],
  ['[\u0001]', control],
  ['{"a":"b"c"}', 'Syntax error'],
  ['{"a":"\\x"}', 'Syntax error'],
  ['{"a":1,}', 'Syntax error'],
  ['{"a":1]', 'State mismatch (invalid or malformed JSON)'],
  ['[1}', 'State mismatch (invalid or malformed JSON)'],
  ['[1', 'Syntax error'],
  ['1 2', 'Syntax error'],
  ['1,2', 'Syntax error'],
  ['[1]]', 'Syntax error'],
  ['{1:2}', 'Syntax error'],
  ['{"a" 1}', 'Syntax error'],
  ['[:]', 'Syntax error'],
  ['', 'Syntax error'],
])('%j: %s, as PHP says', (text, reason) => {
  expect(whyInvalid(text)).toBe(reason);
});

test('tokens of a valid text are the text', () => {
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false }), (text) => {
      expect(Array.from(jsonTokens(text), ({ from, to }) => text.slice(from, to)).join('')).toBe(
        JSON.stringify(JSON.parse(text)).length > 0 ? text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') : '',
      );
    }),
  );
});
