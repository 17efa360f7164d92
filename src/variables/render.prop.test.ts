import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { render } from './render.ts';
import { VariableError } from './variable-error.ts';

/** What a template, JSON and a prototype are made of. */
const piece = fc.constantFrom(
  '{{',
  '}}',
  '{',
  '}',
  '{{{',
  '}}}',
  '{{&',
  '{{!',
  '{{=',
  '=}}',
  '{{#',
  '/',
  '"',
  '\\',
  ',',
  ':',
  '[',
  ']',
  '\\u',
  'a',
  'b',
  ' ',
  '<%',
  '%>',
  '.',
  'vault.',
  'vault.a',
  '{{a}}',
  '{{{a}}}',
  '{{vault.a}}',
  '__proto__',
  '\n',
  'é',
  '\u2028',
  '\ud800',
  '\udc00',
  '0041',
  '","b":"',
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const plain = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '}', '/', 'é', '\u2028', '\ud800', '\n', '__proto__'),
});

function configurations(leaf: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<unknown>(null, true, 0, -0, -1.5, 1e-7, 2n ** 70n),
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc
        .uniqueArray(fc.tuple(leaf, tie('value')), { selector: ([name]) => name, maxLength: 4 })
        .map((fields) => Object.fromEntries(fields)),
    ),
  }));
  return value;
}

const values = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '', 'vault'), text), { selector: ([name]) => name });
const vault = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b'), text), { selector: ([name]) => name });

/** Kinds, lengths and keys. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  const fields = Object.entries(value);
  return fields.length === 0 ? 'empty' : { fields: fields.map(([key, one]) => [key, shapeOf(one)]) };
}

function withoutEmptyObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyObjects);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, one]) => [key, withoutEmptyObjects(one)]);
  return fields.length === 0 ? [] : Object.fromEntries(fields);
}

test('A54: a configuration without placeholders is the same, but for empty objects', () => {
  fc.assert(
    fc.property(configurations(plain), (field) => {
      const configuration = { field };
      const found = render({
        configuration,
        values: new Map([['a', '1']]),
        vault: new Map([['a', '1']]),
      }).configuration;
      expect(found).toEqual(withoutEmptyObjects(configuration));
    }),
  );
});

test('A54: any value comes out as it went in', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (value) => {
      const request = { configuration: { a: '{{x}}', b: ['<{{ x }}>'] }, values: new Map([['x', value]]) };
      expect(render(request).configuration).toEqual({ a: value, b: [`<${value}>`] });
    }),
  );
});

test('A54: no value changes keys or shape of a configuration, whatever the placeholders are', () => {
  const placeholder = fc.constantFrom(
    '{{a}}',
    'x{{ b }}',
    '{{{a}}}',
    '{{&b}}{{a}}',
    '{{vault.a}}',
    '{{vault.a}}{{{b}}}',
    'y',
  );
  const key = fc.constantFrom('k', 'l', ',', ':', '[');
  const fields = fc.uniqueArray(fc.tuple(key, fc.oneof(placeholder, fc.array(placeholder))), {
    selector: ([name]) => name,
  });
  fc.assert(
    fc.property(fields, text, fc.tuple(text, text), (shown, a, [b, k]) => {
      const configuration = Object.fromEntries(shown);
      try {
        const given = new Map(Object.entries({ a, b }));
        const found = render({ configuration, values: given, vault: new Map([['a', k]]) }).configuration;
        expect(shapeOf(found)).toEqual(shapeOf(configuration));
      } catch (thrown) {
        if (!(thrown instanceof VariableError)) throw thrown;
      }
    }),
    { numRuns: 2000 },
  );
});

test('A54: any configuration is rendered or refused by a VariableError', () => {
  fc.assert(
    fc.property(configurations(text), values, vault, (configuration, given, ofVault) => {
      try {
        render({ configuration, values: new Map(given), vault: new Map(ofVault) });
      } catch (thrown) {
        if (!(thrown instanceof VariableError)) throw thrown;
      }
    }),
    { numRuns: 2000 },
  );
});
