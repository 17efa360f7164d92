import { expect, test } from 'vitest';
import { ingestedEvent } from '../../../test/support/mapping-fixture.ts';
import { createTemplates } from '../jsonnet-templates.ts';

const form = 'application/x-www-form-urlencoded';
const manyFields = Array.from({ length: 20_000 }, (_, index) => `f${index}=1`).join('&');
const alike = 'n'.repeat(900);
const longNames = JSON.stringify(
  Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`${alike}${index}`, 1])),
);

function evaluate(content: string, event: { readonly body: string; readonly type?: string }): string {
  const column = { type: 'template', name: 't', rawString: false, template: { language: 'jsonnet', content } } as const;
  const made = createTemplates().compile(column).evaluate(ingestedEvent(event));
  return made.kind === 'json' ? made.text : `${made.reason}: ${made.message}`;
}

const turns = (call: string): string => `std.foldl(function(a, i) ${call}, std.range(1, 150000), 0)`;

test.each([
  ['paths that are made anew', `local s = std.repeat("a.", 500000) + "a"; ${turns('Body(s, 0)')}`, '{}'],
  ['names of headers that are made anew', `local s = std.repeat("K", 1000000); ${turns('Header(s, 0)')}`, '{}'],
  ['long names that are put in order', turns('std.length(std.objectFields(Body() + { x: i }))'), longNames],
])('D8: %s cost what they take', (_, content, body) => {
  expect(evaluate(content, { body })).toMatch(/^templateLimit: limit steps exceeded/);
});

test('a form is made into an object once, whatever a template asks', () => {
  const content = 'std.foldl(function(a, i) if Body() == null then 1 else a, std.range(1, 20000), 0)';
  expect(evaluate(content, { body: manyFields, type: form })).toBe('0');
});

test('names of a large body are put in order once', () => {
  const content = 'std.foldl(function(a, i) std.length(std.objectFields(Body())), std.range(1, 1000), 0)';
  expect(evaluate(content, { body: longNames })).toBe('900');
});
