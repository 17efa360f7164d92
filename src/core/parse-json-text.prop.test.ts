import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonText } from './parse-json-text.ts';

/** Few characters, many of them escaped, so that a key looks like the raw beginning of another. */
const unit = fc.constantFrom(
  '\\',
  'u',
  'n',
  '0',
  'a',
  '"',
  '/',
  'é',
  '年',
  '\n',
  ':',
  '\u{1f600}',
  '\ud800',
  '__proto__',
);
const name = fc.string({ unit, maxLength: 4 });
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21),
    name,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.uniqueArray(fc.tuple(name, tie('value')), { selector: ([one]) => one, maxLength: 4 }).map(Object.fromEntries),
  ),
})).value;

/** Each character of a string as it is, or in one of its escapes. */
const spelling = fc.infiniteStream(fc.integer({ min: 0, max: 2 }));

function spell(text: string, how: Iterator<number>): string {
  const characters = Array.from({ length: text.length }, (_, at) => {
    const plain = JSON.stringify(text[at]).slice(1, -1);
    if (how.next().value !== 0) return plain;
    return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  });
  return `"${characters.join('')}"`;
}

function write(one: unknown, how: Iterator<number>): string {
  if (typeof one === 'string') return spell(one, how);
  if (Array.isArray(one)) return `[${one.map((inner) => write(inner, how)).join(',')}]`;
  if (typeof one !== 'object' || one === null) return JSON.stringify(one);
  const members = Object.entries(one).map(([key, inner]) => `${spell(key, how)}: ${write(inner, how)}`);
  return `{ ${members.join(', ')} }`;
}

test('any value comes back from any spelling of it, whatever was read before', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), spelling, (values, how) => {
      for (const one of values) {
        const text = write(one, how);
        JSON.parse(text);
        expect(parseJsonText(text)).toStrictEqual(one);
      }
    }),
    { numRuns: 2000 },
  );
});

test('JSON.parse agrees, whatever it read before, where no key has an escape', () => {
  const plainName = fc.string({ unit: fc.constantFrom('u', 'n', '0', 'a', '/', 'é', '年', ':'), maxLength: 4 });
  const object = fc.dictionary(plainName, name, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(value, object), { maxLength: 6 }), spelling, (pairs, how) => {
      for (const [before, one] of pairs) {
        JSON.parse(write(before, how));
        expect(JSON.parse(JSON.stringify(one))).toStrictEqual(one);
      }
    }),
    { numRuns: 1000 },
  );
});
