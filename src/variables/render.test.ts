import { describe, expect, it } from 'vitest';
import { neededOfVault, render } from './render.ts';
import { VariableError } from './variable-error.ts';

type Values = Readonly<Record<string, string>>;

function mapOf(values: Values | undefined): ReadonlyMap<string, string> | undefined {
  return values === undefined ? undefined : new Map(Object.entries(values));
}

function rendered(configuration: unknown, values?: Values, vault?: Values): unknown {
  return render({ configuration, values: mapOf(values), vault: mapOf(vault) }).configuration;
}

/** What one text becomes. */
function text(template: string, values: Values = {}, vault?: Values): unknown {
  const configuration = rendered({ parameters: { text: template } }, values, vault) as {
    parameters: { text: unknown };
  };
  return configuration.parameters.text;
}

function refusal(work: () => unknown): string {
  try {
    return `rendered: ${JSON.stringify(work())}`;
  } catch (thrown) {
    if (!(thrown instanceof VariableError)) throw thrown;
    return thrown.message;
  }
}

const invalid = 'Variable replacement resulted in invalid configuration, error: ';
const control = `${invalid}Control character error, possibly incorrectly encoded`;

describe('A54: a placeholder becomes', () => {
  it.each([
    ['the value of its name', '{{a}}', { a: 'x' }, 'x'],
    ['it inside other text, each time', 'is {{ a }}, {{b}}, {{a}}', { a: 'x', b: 'y' }, 'is x, y, x'],
    ['it with any blanks inside the braces', '{{a}} {{ a }} {{   a}}', { a: 'x' }, 'x x x'],
    ['it for a name with -, _ and a blank', '{{a-b}} {{a_b}} {{a b}}', { 'a-b': '1', a_b: '2', 'a b': '3' }, '1 2 3'],
    ['it for a name of other letters', '{{größe}} {{年}}', { größe: '1', 年: '2' }, '1 2'],
    ['text that is escaped for JSON', '{{a}}', { a: '"\\\n\t\u0001/\u2028 \' & <' }, '"\\\n\t\u0001/\u2028 \' & <'],
    ['half a pair of surrogates', '{{a}}', { a: '\ud800' }, '\ud800'],
    ['text, whatever it looks like', '{{a}}', { a: '42' }, '42'],
    ['a value that ends with a quote', '{{a}}', { a: '"' }, '"'],
    ['an empty value', '[{{a}}]', { a: '' }, '[]'],
    ['a value that is not rendered again', '{{a}}', { a: '{{b}} {{! c }} {{/d}}' }, '{{b}} {{! c }} {{/d}}'],
    ['it unescaped in three braces and behind &', '{{{a}}} {{{ a }}} {{&a}} {{& a }}', { a: '\\u00e4' }, 'ä ä ä ä'],
    ['nothing for a comment', 'x{{! {{a }}y', {}, 'xy'],
    ['nothing for a partial, a pragma and a dot', 'x{{> p }}{{% FILTERS }}{{.}}{{{.}}}y', {}, 'xy'],
    ['nothing for a part of a value', 'x{{a.b}}y', { a: '1', 'a.b': '2' }, 'xy'],
    ['it between other delimiters', '{{=<% %>=}}<%a%> {{a}} <%{a}%> <%={{ }}=%>{{a}}', { a: '1' }, '1 {{a}} 1 1'],
    ['it with a dollar in its name', '{{$a}}', { $a: '1' }, '1'],
  ])('%s', (...[, template, values, wanted]) => {
    expect(text(template, values)).toBe(wanted);
  });

  it('text in a value that is no text', () => {
    expect(rendered({ a: ['{{x}}', { b: '{{x}}' }], n: 1 }, { x: '2' })).toEqual({ a: ['2', { b: '2' }], n: 1 });
  });

  it('part of a key, by its escaped value', () => {
    expect(rendered({ '{{x}}': { 'a {{{y}}}': 1 } }, { x: '"', y: 'b' })).toEqual({ '"': { 'a b': 1 } });
  });

  it('nothing when a comment reaches from one text into another', () => {
    expect(rendered({ a: 'x{{! ', b: 'c }}y' }, {})).toEqual({ a: 'xy' });
  });
});

describe('A54: what cannot be rendered', () => {
  it.each([
    [
      'names without values, each once and in order',
      'a {{c}} {{b}} {{a}} {{c}}',
      'Missing values for placeholders: c, b',
    ],
    ['a placeholder without a name', '{{}}', 'Missing values for placeholders: '],
    ['a dotted name by its first part', '{{b.a}}', 'Missing values for placeholders: b'],
    ['a name with a slash, as PHP writes it', '{{/a}}', 'Missing values for placeholders: \\/a'],
    ['a mark behind a blank, which is a name', '{{ #a }} {{ !b }}', 'Missing values for placeholders: #a, !b'],
    ['a section, which nothing can close', '{{#a}}x{{/a}}', 'Missing closing tag: a opened on line 0'],
    ['an inverted section', '{{^a}}x{{/a}}', 'Missing closing tag: a opened on line 0'],
    ['the innermost section', '{{#a}}{{<b}}', 'Missing closing tag: b opened on line 0'],
    ['three braces that two close', '{{{a}} {{a}}}', 'Mismatched tag delimiters: a on line 0'],
    ['one delimiter', '{{=x=}}', 'Invalid delimiters: x'],
    ['a placeholder that is not closed, and ends with the configuration', '{{a', control],
    [
      'a method of the prototype',
      '{{constructor}} {{__proto__}}',
      'Missing values for placeholders: constructor, __proto__',
    ],
  ])('is refused: %s', (_name, template, message) => {
    expect(refusal(() => text(template, { a: '1' }))).toBe(message);
  });

  it('is a placeholder that is never closed', () => {
    expect(refusal(() => rendered({ a: ['{{b'] }, {}))).toBe(
      `${invalid}the placeholder that begins with {{b"]} is not closed`,
    );
  });

  it('is a value that makes no JSON, in the words of PHP', () => {
    expect(refusal(() => text('{{{a}}}', { a: 'value"' }))).toBe(control);
    expect(refusal(() => text('{{{a}}}', { a: 'two\nlines' }))).toBe(control);
    expect(refusal(() => text('{{{a}}}', { a: `special " ' { } characters` }))).toBe(`${invalid}Syntax error`);
  });
});

describe('A54: no value becomes more than text where its placeholder stands', () => {
  const more = (name: string): string =>
    `${invalid}the value of the variable "${name}" would change more than the text in which its placeholder stands: write {{${name}}}`;

  it.each([
    ['a field', { a: '{{{x}}}' }, { x: '1","b":"2' }],
    ['another value of a key that is there', { b: 'safe', a: '{{&x}}' }, { x: '1","b":"2' }],
    ['another kind', { a: ['{{{x}}}'] }, { x: '",{},"' }],
    ['a text that goes on behind its end', { a: ['{{{x}}}', '{{{y}}}'] }, { x: '\\', y: ',"q' }],
    ['half an escape', { a: '{{{x}}}0041' }, { x: '\\u' }],
    ['a key by its escapes', { '{{{x}}}': 1 }, { x: '\\u0061' }],
  ])('not %s', (_name, configuration, values) => {
    expect(refusal(() => rendered(configuration, values))).toBe(more('x'));
  });

  it('not a key that is there', () => {
    const twice = `${invalid}the value of the variable "x" makes the key "a" a second time`;
    expect(refusal(() => rendered({ o: [{ a: 1, '{{x}}': 2 }] }, { x: 'a' }))).toBe(twice);
    expect(refusal(() => rendered({ '{{x}}': 1, a: 2 }, { x: 'a' }))).toBe(twice);
    expect(refusal(() => rendered({ a: 1, '{{vault.x}}': 2 }, {}, { x: 'a' }))).toBe(twice.replace('"x"', '"vault.x"'));
    expect(refusal(() => rendered({ a: 1, '{{vault.x}}': 2 }, undefined, { x: 'a' }))).toContain('"vault.x"');
    expect(rendered({ a: { a: 1 }, o: [{ '{{x}}': 2 }] }, { x: 'a' })).toEqual({ a: { a: 1 }, o: [{ a: 2 }] });
  });

  it('not the prototype of an object', () => {
    const found = rendered({ '{{x}}': { admin: true } }, { x: '__proto__' });
    expect(Object.keys(found as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });
});

describe('A54: a value of the vault', () => {
  it('takes the place of {{vault.name}}, also without variables', () => {
    expect(text('{{vault.a-b_1}} {{ vault.q }}', {}, { 'a-b_1': '1', q: '"/' })).toBe('1 "/');
    expect(rendered({ a: '{{vault.k}} {{x}}' }, undefined, { k: '1' })).toEqual({ a: '1 {{x}}' });
  });

  it('is not put into three braces, nor for another name', () => {
    expect(rendered({ a: '{{{vault.k}}} {{vault.k k}} {{ vaults.k }}' }, undefined, { k: '1' })).toEqual({
      a: '{{{vault.k}}} {{vault.k k}} {{ vaults.k }}',
    });
  });

  it('that is missing is named, and as a variable when there are variables', () => {
    expect(refusal(() => rendered({ a: '{{vault.k}} {{x}}' }))).toBe('Missing values for placeholders: vault.k');
    expect(refusal(() => rendered({ a: '{{vault.k}} {{x}}' }, {}))).toBe(
      'Missing values for placeholders: vault.k, vault, x',
    );
  });

  it('with a placeholder is rendered', () => {
    expect(text('{{vault.k}}', { x: '1' }, { k: '<{{x}}{{! c }}>' })).toBe('<1>');
    expect(text('x{{! not {{vault.k}} any more }}y', {}, { k: '1' })).toBe('xy');
  });

  it.each([
    ['begin a tag that another text ends', { a: '{{vault.k}}', b: 1, c: '}}' }, '{{! '],
    ['end a tag that another text begins', { a: '{{x', b: '{{vault.k}}' }, '}}'],
    ['begin a tag with braces of the template', { a: '{{ {{vault.k}}' }, '}} {{x}}'],
    ['be a name', { a: '{{x {{vault.k}} }}' }, 'y'],
    ['change delimiters', { a: '{{vault.k}}', b: '{{x}}' }, '{{=<% %>=}}'],
  ])('does not %s', (_name, configuration, k) => {
    expect(refusal(() => rendered(configuration, { x: '1' }, { k }))).toBe(
      `${invalid}the value of the variable "vault.k" changes what a placeholder is`,
    );
  });

  it('is looked for only where a configuration asks for it', () => {
    expect([...neededOfVault({ a: '{{vault.k}}', '{{ vault.l }}': '{{{vault.m}}} {{vault.k}}' })]).toEqual(['k', 'l']);
  });
});

describe('A54: a configuration', () => {
  it('stays as it is without variables and without a value of the vault in it', () => {
    const configuration = { a: '{{x}} {{#y}}', empty: {}, n: 12345678901234567890n };
    const { replaced, variables, configuration: same } = render({ configuration, vault: new Map([['k', '1']]) });
    expect(same).toBe(configuration);
    expect({ replaced, variables }).toEqual({ replaced: [], variables: [] });
  });

  it('has its empty objects as empty arrays when something is rendered', () => {
    expect(rendered({ a: {}, b: [{}, []], c: '{}' }, {})).toEqual({ a: [], b: [[], []], c: '{}' });
    expect(rendered({}, {})).toEqual([]);
    expect(rendered({ a: {}, b: '{{vault.k}}' }, undefined, { k: '1' })).toEqual({ a: [], b: '1' });
  });

  it('keeps the digits of its numbers', () => {
    const numbers = { whole: 123456789012345678901234567890n, part: 0.1, large: 1e21, zero: -0, beyond: Infinity };
    expect(rendered(numbers, {})).toEqual({ ...numbers, large: 10n ** 21n });
  });

  it('names what was replaced, and of variables their values, but not what was given besides', () => {
    const { replaced, variables } = render({
      configuration: { a: '{{y}} {{x.z}} {{vault.k}} {{y}}', b: '{{! n }}' },
      values: new Map(['x', 'y', 'n'].map((name) => [name, `${name}1`])),
      vault: new Map([['k', 'secret']]),
    });
    expect(replaced).toEqual(['vault.k', 'y', 'x']);
    expect(variables).toEqual([
      { name: 'y', value: 'y1' },
      { name: 'x', value: 'x1' },
    ]);
  });
});

describe('D8: rendering is bounded', () => {
  it('in depth', () => {
    const nested = (depth: number): unknown => (depth === 0 ? '{{x}}' : [nested(depth - 1)]);
    expect(refusal(() => rendered(nested(513), { x: '1' }))).toBe(`${invalid}Maximum stack depth exceeded`);
    expect(refusal(() => rendered(nested(512), { x: '1' }))).toContain('rendered');
  });

  it('in the length of the result', () => {
    const values = { x: 'x'.repeat(1024 * 1024) };
    expect(refusal(() => rendered({ a: '{{x}}'.repeat(17) }, values))).toBe(
      `${invalid}it would be longer than 16777216 characters`,
    );
    expect(text('{{x}}{{x}}', values)).toHaveLength(2 * 1024 * 1024);
  });

  it('in the length of a message', () => {
    expect(refusal(() => text(`{{${'n'.repeat(10_000)}}}`)).length).toBeLessThan(5000);
  });
});
