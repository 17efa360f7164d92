import { describe, expect, test } from 'vitest';
import { ingestedEvent, mapOnce } from '../../test/support/mapping-fixture.ts';
import type { ColumnOf } from '../core/column.ts';
import { createTemplates } from './jsonnet-templates.ts';
import type { TemplateResult } from './template.ts';

function columnOf(content: string, rest: Partial<ColumnOf<'template'>> = {}): ColumnOf<'template'> {
  return { type: 'template', name: 't', rawString: false, template: { language: 'jsonnet', content }, ...rest };
}

function evaluate(content: string, templates = createTemplates()): TemplateResult {
  return templates.compile(columnOf(content)).evaluate(ingestedEvent({ body: '{"a":{"b":"x"},"n":1}' }));
}

describe('a template', () => {
  test('makes compact JSON, keys in order', () => {
    expect(evaluate('{ b: [1, 2.50], a: Body("a"), c:: 1 }')).toEqual({
      kind: 'json',
      text: '{"a":{"b":"x"},"b":[1,2.5]}',
    });
  });

  test('A20: prints whole numbers as their exact digits and others as the shortest text', () => {
    expect(evaluate('[1e21, 12345678901234567890, 0.1 + 0.2, 42.10, -0]')).toEqual({
      kind: 'json',
      text: '[1000000000000000000000,12345678901234567168,0.30000000000000004,42.1,-0]',
    });
  });

  test('is compiled once for equal texts, whatever their columns are called', () => {
    const templates = createTemplates();
    const first = templates.compile(columnOf('1'));
    expect(templates.compile(columnOf('1', { name: 'u', rawString: true }))).toBe(first);
    expect(templates.compile(columnOf('2'))).not.toBe(first);
  });

  test('keeps nothing of one event for the next', () => {
    const template = createTemplates().compile(columnOf('local a = Body("a", 0); [a, a + 1]'));
    const results = ['{"a":1}', '{}', '{"a":5}'].map((body) => template.evaluate(ingestedEvent({ body })));
    expect(results.map((result) => result.kind === 'json' && result.text)).toEqual(['[1,2]', '[0,1]', '[5,6]']);
  });

  test.each([
    ['Invalid', '1:1-8 Unknown variable: Invalid'],
    ['1 +', '1:4-5 '],
    ['import "x"', '1:1-7 imports are not enabled'],
    ['importstr "x"', 'imports are not enabled'],
    ['{ a: 1, a: 2 }', '1:9-10 '],
    ['{\n  a: nope }', '2:6-10 Unknown variable: nope'],
  ])('D9: %j is refused before any event, with the place', (content, rest) => {
    const compile = (): unknown => createTemplates().compile(columnOf(content, { name: 'my col' }));
    expect(compile).toThrow('column "my col" template is invalid: ');
    expect(compile).toThrow(rest);
  });

  test.each([
    ['Body("no")', 'path "no" not found in the body, which was read as JSON, as its Content-Type says', '1:1-11'],
    [
      '{ a: 1,\n  b: Body("no") }',
      'path "no" not found in the body, which was read as JSON, as its Content-Type says',
      '2:6-16',
    ],
    [
      'local p = "no"; Body(p)',
      'path "no" not found in the body, which was read as JSON, as its Content-Type says',
      '1:17-24',
    ],
    ['error "because"', 'because', '1:1-16'],
    ['1 + {}.x', 'Field does not exist: x', '1:5-9'],
  ])('that fails tells message and place: %j', (content, message, place) => {
    expect(evaluate(content)).toEqual({ kind: 'failed', reason: 'templateError', message, place });
  });
});

describe('D8: a template that wants too much hits its limit', () => {
  test.each([
    ['steps', 'std.foldl(function(a, b) a + b, std.range(1, 1000), 0)', { steps: 1000 }],
    ['max stack frames', 'local f(n) = if n == 0 then 0 else 1 + f(n - 1); f(50)', { depth: 40 }],
    ['textLength', 'std.repeat("x", 101)', { textLength: 100 }],
    ['arrayLength', 'std.range(1, 101)', { arrayLength: 100 }],
  ] as const)('%s', (name, content, limits) => {
    const result = evaluate(content, createTemplates(limits));
    expect(result).toMatchObject({ kind: 'failed', reason: 'templateLimit' });
    expect(result).toHaveProperty('message', expect.stringContaining(name));
    expect(evaluate(content)).toHaveProperty('kind', 'json');
  });

  test('500 frames by default', () => {
    expect(evaluate('local f(n) = f(n + 1); f(0)')).toMatchObject({
      reason: 'templateLimit',
      message: 'max stack frames exceeded',
    });
  });
});

describe('a template column', () => {
  const cells = (content: string, rawString: boolean): unknown =>
    mapOnce(ingestedEvent(), [columnOf(content, { rawString })]);

  test('keeps the quotes of a string unless it is a raw string', () => {
    expect(cells('"a\\n\\"ü"', false)).toHaveProperty('cells', ['"a\\n\\"ü"']);
    expect(cells('"a\\n\\"ü"', true)).toHaveProperty('cells', ['a\n"ü']);
    expect(cells('""', true)).toHaveProperty('cells', ['']);
  });

  test.each(['null', '42', 'true', '["a"]', '{"a":"b"}'])('has the JSON of %s, raw string or not', (content) => {
    for (const rawString of [false, true]) expect(cells(content, rawString)).toHaveProperty('cells', [content]);
  });

  test('A36: refuses a raw string that cannot be a cell', () => {
    expect(cells('"a\\u0000"', true)).toMatchObject({ refusal: { reason: 'invalidText', column: 't' } });
    expect(cells('"a\\u0000"', false)).toHaveProperty('cells', ['"a\\u0000"']);
  });

  test('D6: that fails is refused with column, message and place', () => {
    expect(cells('1 + Body("no")', false)).toEqual({
      refusal: {
        reason: 'templateError',
        column: 't',
        message: 'path "no" not found in the body, which was read as JSON, as its Content-Type says',
        place: '1:5-15',
      },
    });
  });
});

test('A19: the flags of links, numbers of 32 bits without a sign, stand in the way of no template', () => {
  const event = ingestedEvent({ body: '{"links":[{"trace_id":"01","flags":4294967295}]}' });
  for (const content of ['Body().links[0].flags', 'Body("links")[0].flags', 'Body("links[0].flags")'])
    expect(createTemplates().compile(columnOf(content)).evaluate(event)).toEqual({ kind: 'json', text: '4294967295' });
});

test('D6: an event is parsed once for all templates of all sinks', () => {
  const templates = createTemplates();
  const event = ingestedEvent({ body: '{"a":{"b":1}}' });
  const { json } = event;
  for (const content of ['Body("a.b")', 'Body().a.b', 'Body("a").b']) {
    expect(templates.compile(columnOf(content)).evaluate(event)).toEqual({ kind: 'json', text: '1' });
  }
  expect(event.json).toBe(json);
});
