import { expect, test } from 'vitest';
import { secretNames } from './secret-names.ts';

test('J11: the variables of texts at keys with # are secret, also in lists and in the middle of a text', () => {
  const configuration = {
    '#top': 'Bearer {{ token }}, {{{raw}}} and {{&plain}}',
    '#list': ['{{one}}', { inner: '{{not}}', '#own': '{{two}}' }],
    open: ['{{not}}', { '#deep': '{{three}}{{four}}' }],
  };
  expect([...secretNames(configuration)].toSorted()).toEqual(['four', 'one', 'plain', 'raw', 'three', 'token', 'two']);
});

test('J11: a name in the open alone is none', () => {
  expect([...secretNames({ a: '{{b}}', '#c': 'no placeholder', '{{#d}}': '{{e}}' })]).toEqual([]);
});
