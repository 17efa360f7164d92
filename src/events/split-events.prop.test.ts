import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Refusal } from './refusal.ts';
import { batchRequestOf, splitEvents, type BatchMode, type BatchRequest, type SplitBody } from './split-events.ts';

function at(path: string): BatchRequest {
  return batchRequestOf(`path:${path}`) as BatchRequest;
}

function texts(body: string | Uint8Array, mode: BatchRequest): readonly string[] | string {
  const split = wholeSplit(Buffer.from(body), mode);
  return split.kind === 'refusal' ? split.message : split.events.bodies().map((part) => part.toString());
}

function wholeSplit(body: Buffer, mode: BatchRequest): SplitBody | Refusal {
  const steps = splitEvents(body, mode);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

test('A39: array elements keep their bytes, whatever white space is around them', () => {
  const blank = fc.constantFrom('', ' ', '\n', '\r\n', '\t ');
  const element = fc.tuple(fc.json(), blank, blank);
  fc.assert(
    fc.property(fc.array(element), blank, (elements, around) => {
      const body = `${around}[${elements.map(([json, before, after]) => before + json + after).join(',')}${around}]${around}`;
      expect(texts(body, 'array')).toEqual(elements.map(([json]) => json.trim()));
      expect(texts(body, 'auto')).toEqual(elements.map(([json]) => json.trim()));
    }),
  );
});

test('A39: array takes exactly what JSON.parse takes as an array', () => {
  const broken = fc
    .tuple(
      fc.array(fc.jsonValue({ maxDepth: 3 })),
      fc.nat(),
      fc.nat(),
      fc.constantFrom('', ',', ']', '[', '"', '{', '1', '\\', 'x'),
    )
    .map(([value, at, removed, inserted]) => {
      const json = JSON.stringify(value);
      const start = at % (json.length + 1);
      return json.slice(0, start) + inserted + json.slice(start + (removed % 3));
    });
  fc.assert(
    fc.property(broken, (body) => {
      expect(typeof texts(body, 'array') !== 'string').toBe(isArray(body));
    }),
    { numRuns: 2000 },
  );
});

function isArray(body: string): boolean {
  try {
    return Array.isArray(JSON.parse(body));
  } catch {
    return false;
  }
}

test('A47: the array at a path gives what it would give alone, whatever stands around it', () => {
  const around = fc.dictionary(
    fc.string().filter((name) => name !== 'at'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), around, around, (elements, before, after) => {
      const members = [...Object.entries(before), ['at', elements], ...Object.entries(after), ['at', 'not the first']];
      const inner = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(', ')}}`;
      const alone = texts(JSON.stringify(elements), 'array');
      expect(texts(inner, at('at'))).toEqual(alone);
      expect(texts(` [0,{"x.y":${inner}}]`, at('[1]["x.y"].at'))).toEqual(alone);
      expect(typeof texts(inner.slice(0, -1), at('at'))).toBe('string');
    }),
  );
});

test('lines: the lines that are not empty, as their bytes', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '{', ' ', '"', 'é') });
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, end, last) => {
      const body = lines.join(end) + (last ? end : '');
      expect(texts(body, 'lines')).toEqual(lines.filter((text) => text !== ''));
    }),
  );
});

test.each([
  ['[1, 2, x]', 'Element 2 of the JSON array is not valid JSON: unexpected byte at 7. Nothing was stored.'],
  ['[1, {"a":]', 'Element 1 of the JSON array is not valid JSON: unexpected byte at 9. Nothing was stored.'],
  ['[1,,2]', 'Element 1 of the JSON array is not valid JSON: there is none at byte 3. Nothing was stored.'],
  ['[1,]', 'Element 1 of the JSON array is not valid JSON: there is none at byte 3. Nothing was stored.'],
  ['[1 2]', 'The JSON array is cut or broken: expected "," or "]" after element 0, at byte 3. Nothing was stored.'],
  ['[1', 'The JSON array is cut or broken: expected "," or "]" after element 0, at byte 2. Nothing was stored.'],
  ['[1] x', 'The JSON array ends before byte 4, but the body goes on. Nothing was stored.'],
  ['{"a":[1]}', 'The body is not a JSON array: expected "[" at byte 0. Nothing was stored.'],
  ['', 'The body is not a JSON array: expected "[" at byte 0. Nothing was stored.'],
])('D9: the array %s is refused with the index and the place', (body, message) => {
  expect(texts(body, 'array')).toBe(message);
});

test('auto takes what is no array as one event', () => {
  for (const body of ['{"a":[1]}', '[1,', '', 'text']) expect(texts(body, 'auto')).toEqual([body]);
});

test('a byte order mark belongs to no event', () => {
  expect(texts('\uFEFF[1]', 'array')).toEqual(['1']);
  expect(texts('\uFEFFa\nb', 'lines')).toEqual(['a', 'b']);
  expect(texts('\uFEFF[1]', 'off')).toEqual(['\uFEFF[1]']);
});

test('D8: more than 10,000 events are refused, in any mode', () => {
  const fits = Array.from({ length: 10_000 }, () => '1');
  expect(texts(`[${fits.join()}]`, 'array')).toEqual(fits);
  expect(texts(fits.join('\n'), 'lines')).toEqual(fits);
  for (const mode of ['array', 'auto'] as const)
    expect(texts(`[${fits.join()},1]`, mode)).toMatch(/more than 10000 events/);
  expect(texts(`${fits.join('\n')}\n1`, 'lines')).toMatch(/more than 10000 events/);
});

test('D8: a megabyte of open brackets is refused without harm', () => {
  for (const open of ['[', '{"a":']) expect(texts(open.repeat(200_000), 'array')).toMatch(/^(Element 0|The body)/);
});

test('D8: a split pauses at least every thousand events and every 128 KB, and says how many there are so far', () => {
  const steps = (body: string, mode: BatchMode): readonly number[] => [...splitEvents(Buffer.from(body), mode)];
  expect(steps('1\n'.repeat(2500), 'lines')).toEqual([1000, 2000]);
  expect(steps(`[${'1,'.repeat(2499)}1]`, 'array')).toEqual([1000, 2000]);
  expect(steps('\n'.repeat(300 * 1024), 'lines')).toEqual([0, 0]);
  expect(steps(`[${`"${'x'.repeat(100 * 1024)}",`.repeat(3)}1]`, 'auto')).toEqual([2]);
});
