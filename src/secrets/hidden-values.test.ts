import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { HiddenValues } from './hidden-values.ts';

function hiding(...values: readonly string[]): HiddenValues {
  const hidden = new HiddenValues();
  for (const value of values) hidden.add(value);
  return hidden;
}

describe('J11: a secret is hidden', () => {
  const secret = 'open sesame/é"';

  it.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a query', new URLSearchParams({ a: 'open sesame/' }).toString().replace('a=', ''), 'open sesame/'],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    [
      'in JSON as PHP writes it',
      JSON.stringify('open/sesame')
        .slice(1, -1)
        .replace('/', String.raw`\/`),
      'open/sesame',
    ],
  ])('%s', (_title, shown, value = secret) => {
    expect(hiding(value).hide(`<${shown}> ${shown}`)).toBe('<[hidden]> [hidden]');
  });

  it('where Base64 has it among other bytes, also in a URL', () => {
    const hidden = hiding('correct-horse~battery?');
    for (const before of ['', 'u', 'me', 'me:', 'user:'])
      for (const after of ['', '!', '\n\n']) {
        const bytes = Buffer.from(`${before}correct-horse~battery?${after}`);
        for (const text of [
          bytes.toString('base64'),
          bytes.toString('base64url'),
          encodeURIComponent(bytes.toString('base64')),
        ]) {
          expect(hidden.hide(`Basic ${text}`)).toContain('[hidden]');
          const shown = hidden.hide(text).replace('[hidden]', '');
          // Only what has bits of its neighbours is left of it.
          expect(Buffer.from(shown, 'base64').toString('latin1')).not.toMatch(/orrect|horse|atter/);
        }
      }
  });

  it('the longest where one begins like another, and none that is too short', () => {
    expect(hiding('abc', 'abcdef', 'ab').hide('abcdefg abcd ab')).toBe('[hidden]g [hidden]d ab');
  });

  it('each where they follow each other, and nothing where there is none', () => {
    expect(hiding('aaa').hide('aaaaaaa aaa')).toBe('[hidden]a [hidden]');
    expect(hiding().hide('aaa')).toBe('aaa');
  });
});

it('J11: a long one is hidden as a whole, and what is left of one that was cut, too', () => {
  const long = Array.from({ length: 3000 }, (_, at) => `${at}.`).join('');
  expect(hiding(long).hide(`<${long}>`)).toBe('<[hidden]>');
  const cut = hiding(long).hide(`<${long.slice(0, 5000)}`);
  expect(cut.startsWith('<[hidden]')).toBe(true);
  expect(cut.length).toBeLessThan(1100);
});

test('J11: no secret is left in what was hidden, whatever is around it', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', ' ', 'é', '"') });
  const secrets = fc.array(
    text.filter(({ length }) => length >= 3),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(secrets, fc.array(text), (values, around) => {
      const shown = hiding(...values).hide(around.join(values[0] ?? ''));
      for (const value of values) for (const piece of shown.split('[hidden]')) expect(piece).not.toContain(value);
    }),
  );
});

test('D8: thousands of secrets, and some of megabytes, hold nobody up', () => {
  const many = Array.from({ length: 2000 }, (_, at) => `${'secret'.repeat(200)}${at}`);
  const hidden = hiding(...many, 'x'.repeat(4 * 1024 * 1024), 'é"/'.repeat(300_000));
  const line = `${'secret'.repeat(200)}7 ${'secret'.repeat(2000)} ${'x'.repeat(100_000)}`;
  const before = performance.now();
  expect(hidden.hide(line).startsWith('[hidden] ')).toBe(true);
  expect(performance.now() - before).toBeLessThan(5000);
  expect(hidden.characters).toBeGreaterThan(6_000_000);
});
