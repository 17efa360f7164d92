import { expect, test } from 'vitest';
import { mergeRow } from './merge-row.ts';

test('a row replaces what it has and keeps the rest', () => {
  const root = { parameters: { api: { baseUrl: 'a', name: 'n' }, config: { id: 1 } }, runtime: { x: 1 } };
  expect(mergeRow(root, { parameters: { api: { baseUrl: 'b' }, config: { id: '2' } } })).toEqual({
    parameters: { api: { baseUrl: 'b', name: 'n' }, config: { id: '2' } },
    runtime: { x: 1 },
  });
});

test('elements of arrays are merged by their place', () => {
  expect(
    mergeRow({ jobs: [{ endpoint: 'a', method: 'POST' }, { endpoint: 'b' }] }, { jobs: [{ endpoint: 'c' }] }),
  ).toEqual({
    jobs: [{ endpoint: 'c', method: 'POST' }, { endpoint: 'b' }],
  });
  expect(mergeRow({ list: [1] }, { list: [2, 3] })).toEqual({ list: [2, 3] });
});

test('a scalar, null and a container replace each other', () => {
  expect(mergeRow({ a: { b: 1 } }, { a: 'text' })).toEqual({ a: 'text' });
  expect(mergeRow({ a: 'text' }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
  expect(mergeRow({ a: { b: 1 } }, { a: null })).toEqual({ a: null });
});

test('an empty array, which PHP makes of an empty object, changes nothing in an object', () => {
  expect(mergeRow({ a: { b: 1 } }, { a: [] })).toEqual({ a: { b: 1 } });
});

test('a key that objects of JavaScript have is a key like others', () => {
  const row: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
  const merged = mergeRow({}, row);
  expect(Object.getOwnPropertyNames(merged)).toEqual(['__proto__']);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
