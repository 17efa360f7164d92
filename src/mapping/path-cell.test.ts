import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import type { ColumnOf } from '../core/column.ts';
import { ingestedEvent, mapOnce, pathColumn } from '../../test/support/mapping-fixture.ts';

function cell(body: string | Uint8Array, path: string, rest: Partial<ColumnOf<'path'>> = {}): unknown {
  const mapped = mapOnce(ingestedEvent({ body }), [pathColumn(path, { name: 'c', ...rest })]);
  return 'refusal' in mapped ? mapped.refusal : mapped.cells[0];
}

const raw = { rawString: true };

describe('a path column of a JSON body', () => {
  test.each<[string, string, readonly [string, string]]>([
    ['a string', '{"a":"val2"}', ['"val2"', 'val2']],
    ['a string with escapes', '{"a":"q\\"\\u00fc\\/"}', ['"q\\"\\u00fc\\/"', 'q"ü/']],
    ['an empty string', '{"a":""}', ['""', '']],
    ['a number with all its digits', '{"a":1.2300e+05}', ['1.2300e+05', '1.2300e+05']],
    ['a long integer', '{"a":-12345678901234567890}', ['-12345678901234567890', '-12345678901234567890']],
    ['true', '{"a":true}', ['true', 'true']],
    ['null', '{"a": null }', ['null', 'null']],
    [
      'an object in its order',
      '{"a": { "z" : 1,\n "b":[ 1, " x ",{ } ] } }',
      ['{"z":1,"b":[1," x ",{}]}', '{"z":1,"b":[1," x ",{}]}'],
    ],
    ['an empty array', '{"a":[ ]}', ['[]', '[]']],
  ])('writes %s as its JSON text, unquoted with rawString', (_, body, [text, rawText]) => {
    expect(cell(body, 'a', { defaultValue: 'unused' })).toBe(text);
    expect(cell(body, 'a', raw)).toBe(rawText);
  });

  test('an index and a key are the same step', () => {
    const body = '{"a":[10,{"b":[7]}],"o":{"0":"zero"}}';
    expect(cell(body, 'a[0]')).toBe('10');
    expect(cell(body, 'a.0')).toBe('10');
    expect(cell(body, 'a.1.b[0]')).toBe('7');
    expect(cell(body, 'o[0]')).toBe('"zero"');
    expect(cell(body, 'a["0"]')).toBe('10');
  });

  test('the root may be an array or a scalar, and the empty path is all of it', () => {
    expect(cell('[{"a":1}, 2]', '[0].a')).toBe('1');
    expect(cell(' [1, 2] ', '')).toBe('[1,2]');
    expect(cell(' "x" ', '', raw)).toBe('x');
  });

  test('of duplicate keys the first wins, also when the path ends in it', () => {
    expect(cell('{"a":1,"a":2}', 'a')).toBe('1');
    expect(cell('{"a":{"x":1},"a":{"b":2}}', 'a.b', { defaultValue: 'none', ...raw })).toBe('none');
    expect(cell('{"\\u0061":1,"a":2}', 'a')).toBe('1');
  });

  test('quoted keys reach keys with dots, brackets and escapes', () => {
    const body = '{"a":{"b.c":{"d":1}},"x[0]":2,"q\\"\\n":3,"":{"":4},"ü":5}';
    expect(cell(body, 'a["b.c"].d')).toBe('1');
    expect(cell(body, '["x[0]"]')).toBe('2');
    expect(cell(body, '["q\\"\\n"]')).toBe('3');
    expect(cell(body, '[""][""]')).toBe('4');
    expect(cell(body, 'ü')).toBe('5');
  });

  test('a key that is no text is met by no path', () => {
    expect(cell('{"\\ud800":1,"\ufffd":2}', '\ufffd')).toBe('2');
    const body = Buffer.concat([Buffer.from('{"a\\/'), Buffer.from([0xff]), Buffer.from('":1,"a\\/\ufffd":2}')]);
    expect(cell(body, '["a/\ufffd"]')).toBe('2');
  });

  test('the default stands in only where the path does not exist', () => {
    expect(cell('{"a":1}', 'b', { defaultValue: '123' })).toBe('"123"');
    expect(cell('{"a":1}', 'b', { defaultValue: '123', ...raw })).toBe('123');
    expect(cell('{"a":1}', 'b', { defaultValue: 'a"\n' })).toBe('"a\\"\\n"');
    expect(cell('{"a":null}', 'a', { defaultValue: '123' })).toBe('null');
    expect(cell('{"a":1}', 'a.b', { defaultValue: '' })).toBe('""');
    expect(cell('{"a":[1]}', 'a[1]', { defaultValue: '', ...raw })).toBe('');
  });

  test('a path that does not exist is refused', () => {
    expect(cell('{"key1":{}}', 'key1.invalid')).toEqual({
      reason: 'pathNotFound',
      column: 'c',
      message: 'path "key1.invalid" not found in the body, which was read as JSON, as its Content-Type says',
      place: '',
    });
  });
});

describe('a body that is not JSON', () => {
  test.each<[string, string, string]>([
    ['', '1:1', 'empty'],
    ['  \n', '1:1', 'empty'],
    ['{"a":1', '1:7', 'unexpected end'],
    ['{"a":1}x', '1:8', "character 'x'"],
    ['{"a":1,}', '1:8', "character '}'"],
    ['{"a":1}\u0000', '1:8', 'byte 0x00'],
    ['\uFEFF{}', '1:1', 'byte 0xef'],
    ['{"a":01}', '1:7', "character '1'"],
    ['{"a":1.}', '1:8', "character '}'"],
    ['{"a":-}', '1:7', "character '}'"],
    ['{"a":1e+}', '1:9', "character '}'"],
    ['{"a":"\t"}', '1:7', 'byte 0x09'],
    ['{"a":"\\x"}', '1:8', "character 'x'"],
    ['{"a":"\\u00g0"}', '1:11', "character 'g'"],
    ['{"a":tru}', '1:9', "character '}'"],
    ['{a:1}', '1:2', "character 'a'"],
    ['{\n "ü": ü}', '2:7', 'byte 0xc3'],
    ['[1 2]', '1:4', "character '2'"],
    ['"x', '1:3', 'unexpected end'],
    ["{'a':1}", '1:2', "character '''"],
    ['NaN', '1:1', "character 'N'"],
  ])('%j is refused at %s, whatever the default', (body, place, what) => {
    expect(cell(body, 'a', { defaultValue: 'x' })).toEqual({
      reason: 'invalidJson',
      column: 'c',
      message: expect.stringMatching(/^cannot parse request json: /) as string,
      place,
    });
    expect(cell(body, 'a')).toHaveProperty('message', expect.stringContaining(what));
  });

  test('300 levels are read, 301 are refused', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(cell(nested(300), '')).toBe(nested(300));
    expect(cell(nested(301), '')).toMatchObject({ reason: 'invalidJson', place: '1:301' });
    expect(cell('['.repeat(200_000), '[0]')).toMatchObject({ reason: 'invalidJson' });
  });
});

describe('text that a cell cannot hold', () => {
  test('a lone surrogate or U+0000 under rawString is refused, as JSON text it stays an escape', () => {
    for (const escape of ['\\ud800', '\\u0000']) {
      expect(cell(`{"a":"x${escape}"}`, 'a', raw)).toMatchObject({ reason: 'invalidText', column: 'c' });
      expect(cell(`{"a":"x${escape}"}`, 'a')).toBe(`"x${escape}"`);
    }
    expect(cell('{"a":"\\ud83d\\ude00"}', 'a', raw)).toBe('😀');
  });

  test('bytes that are not UTF-8 refuse the columns that hold them and no other', () => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('","b":"ü"}')]);
    expect(cell(body, 'a')).toMatchObject({ reason: 'invalidText' });
    expect(cell(body, 'a', raw)).toMatchObject({ reason: 'invalidText' });
    expect(cell(body, '')).toMatchObject({ reason: 'invalidText' });
    expect(cell(body, 'b')).toBe('"ü"');
  });
});

test.each([
  [
    'application/json',
    '{',
    'cannot parse request json: unexpected end of the body at 1:2; the body was read as JSON, ',
  ],
  ['application/json', '{}', 'path "a" not found in the body, which was read as JSON, '],
  ['application/x-www-form-urlencoded', '{"b":1}', 'path "a" not found in the body, which was read as a form, '],
  [
    'application/x-www-form-urlencoded',
    '%',
    'cannot parse request form: invalid percent encoding "%"; the body was read as a form, ',
  ],
])('A46: what is not found is told with what the body was read as, and why', (type, body, message) => {
  expect(mapOnce(ingestedEvent({ body, type }), [pathColumn('a')])).toMatchObject({
    refusal: { message: `${message}as its Content-Type says` },
  });
});

const noContentType =
  'the event has no content type: let its sender give one in the header Content-Type, or its source in the setting ingest.defaultContentType;';

describe('a path column of another content type', () => {
  test.each([undefined, 'text/plain', 'application/jsonx'])('%s is refused and named, whatever the default', (type) => {
    const event = ingestedEvent({ body: '{"a":1}', type });
    expect(mapOnce(event, [pathColumn('a', { defaultValue: 'x' })])).toEqual({
      refusal: {
        reason: 'unsupportedMediaType',
        column: 'p:a',
        message: `${type === undefined ? noContentType : `unsupported content type "${type}",`} supported types: application/json, application/x-www-form-urlencoded and multipart/form-data; a column of type body and BodyStr() take any body`,
        place: '',
      },
    });
  });
});

test('D9: a wrong path is refused when the mapping is compiled, with column and position', () => {
  expect(() => mapOnce(ingestedEvent(), [pathColumn('a[x]', { name: 'city' })])).toThrow(
    /column "city": invalid path "a\[x\]" at position 3: expected a decimal index/,
  );
  const defaultValue = '\u0000';
  expect(() => mapOnce(ingestedEvent(), [pathColumn('a', { ...raw, defaultValue })])).toThrow(/invalid defaultValue/);
});
