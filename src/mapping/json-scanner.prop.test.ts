import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ingestedEvent, mapOnce, pathColumn } from '../../test/support/mapping-fixture.ts';
import { JsonScanner } from './json-scanner.ts';
import { parsePath } from './path.ts';
import { PathTrie } from './path-trie.ts';

/** Few different keys, so that paths meet them; hashes collide and prefixes are shared. */
const key = fc.constantFrom('a', 'b', 'ab', 'ba', '0', '1', '', 'a.b', 'é', 'key"x', '__proto__', 'c\n');
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(key, tie('value')), { selector: ([name]) => name, maxLength: 5 }).map(objectOf),
  ),
})).value;

function objectOf(members: readonly (readonly [string, unknown])[]): unknown {
  return Object.assign(Object.create(null) as object, Object.fromEntries(members));
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  for (const name of keys) {
    const isIndex = Array.isArray(value) && /^(0|[1-9][0-9]*)$/.test(name);
    if (value === null || typeof value !== 'object' || (Array.isArray(value) && !isIndex)) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const quotedPath = (keys: readonly string[]): string => keys.map((name) => `[${JSON.stringify(name)}]`).join('');

test('every path of every JSON value is what JSON.parse finds there, with any white space', () => {
  const space = fc.constantFrom(undefined, 1, '\t', '\n \r');
  const paths = fc.array(fc.array(key, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(json, space, paths, (value, indent, wanted) => {
      const body = JSON.stringify(value, undefined, indent);
      const parsed: unknown = JSON.parse(body);
      const columns = wanted.map((keys, at) => pathColumn(quotedPath(keys), { name: `c${at}`, defaultValue: 'none' }));
      const mapped = mapOnce(ingestedEvent({ body }), columns);
      const expected = wanted.map((keys) => JSON.stringify(valueAt(parsed, keys) ?? fallback(parsed, keys)));
      expect(mapped).toHaveProperty('cells', expected);
    }),
    { numRuns: 400 },
  );
});

function fallback(parsed: unknown, keys: readonly string[]): unknown {
  return valueAt(parsed, keys) === null ? null : 'none';
}

test('a scan has the paths of its own body, however many there are, also after the next ones', () => {
  const names = Array.from({ length: 50 }, (_, at) => `k${at}`);
  const trie = new PathTrie();
  const nodes = names.map((name) => trie.add([{ kind: 'key', text: name }]));
  const one = new JsonScanner(trie);
  fc.assert(
    fc.property(fc.array(fc.subarray(names), { minLength: 1, maxLength: 4 }), (given) => {
      const bodies = given.map((keys) => JSON.stringify(Object.fromEntries(keys.map((name) => [name, `${name}!`]))));
      const scans = bodies.map((body) => one.scan(Buffer.from(body)));
      for (const [index, scan] of scans.entries()) {
        const found = nodes.map(({ slot }) => scan.find(slot));
        const texts = found.map((span) => span && bodies[index]?.slice(span.start, span.end));
        expect(texts).toEqual(names.map((name) => (given[index]?.includes(name) ? `"${name}!"` : undefined)));
      }
    }),
  );
});

const scanner = new JsonScanner(new PathTrie());

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('a text is JSON when JSON.parse takes it and not otherwise', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    '0',
    '1',
    '-',
    '.5',
    'e3',
    'E+',
    'true',
    'nul',
    'null',
    ' ',
    '\n',
    '\u00a0',
    '"\\u00e9"',
    '"\\ud800"',
    '"\\x"',
    '/',
    '\u0000',
    '12.50',
    '01',
    '"\u2028"',
  );
  const tokens = fc.array(token, { maxLength: 12 }).map((parts) => parts.join(''));
  const damaged = fc.tuple(json, fc.nat(), fc.string({ maxLength: 2 })).map(([value, at, patch]) => {
    const text = JSON.stringify(value);
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + patch + text.slice(cut + 1);
  });
  fc.assert(
    fc.property(fc.oneof(tokens, damaged), (text) => {
      fc.pre(text.isWellFormed());
      expect(scanner.scan(Buffer.from(text)).fault === undefined).toBe(isJson(text));
    }),
    { numRuns: 3000 },
  );
});

test('a fault lies inside the body or at its end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (body) => {
      expect(scanner.scan(body).fault?.at ?? 0).toBeLessThanOrEqual(body.length);
    }),
  );
});

test('a body larger than all before is read whole', () => {
  const trie = new PathTrie();
  const parsed = parsePath('[49999]');
  const { slot } = trie.add(parsed.kind === 'path' ? parsed.steps : []);
  const large = new JsonScanner(trie);
  expect(large.scan(Buffer.from('[1]')).find(slot)).toBeUndefined();
  const body = Buffer.from(JSON.stringify(Array.from({ length: 50_000 }, (_, at) => at)));
  const span = large.scan(body).find(slot);
  expect(body.toString('utf8', span?.start, span?.end)).toBe('49999');
});
