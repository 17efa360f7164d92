import { describe, expect, it, test } from 'vitest';
import { KeptLog } from '../../../test/support/scripted-api.ts';
import { findItems, parseDataField } from './items.ts';
import type { JsonValue } from '../values/json-value.ts';

function found(
  page: JsonValue,
  dataField?: JsonValue,
): { readonly items: readonly JsonValue[]; readonly log: readonly string[] } {
  const log = new KeptLog();
  const items = findItems(page, { endpoint: 'users', dataField: parseDataField(dataField) }, log);
  return { items, log: log.lines };
}

describe('1.5: without dataField', () => {
  test.each([
    ['an array', [1, 2], [1, 2]],
    ['the only array of an object', { a: 1, b: [3], c: {} }, [3]],
  ])('%s is the items', (_name, page, items) => {
    expect(found(page)).toEqual({ items, log: [] });
  });

  test('an object without an array is a warning, and no items', () => {
    expect(found({ a: {} })).toEqual({
      items: [],
      log: ['warning: No data array found in response! (endpoint: users)'],
    });
  });

  test('several arrays are refused', () => {
    expect(() => found({ a: [], c: 1, b: [1] })).toThrow(
      "More than one array found in response! Use 'dataField' parameter to specify a key to the data array. (endpoint: users, arrays in response root: a, b)",
    );
  });

  test.each([[1], ['a'], [null], [true]])('%o is refused', (page) => {
    expect(() => found(page)).toThrow('Unknown response from API.');
  });

  test.each([[''], [null], [undefined]])('an empty dataField is none: %o', (dataField) => {
    expect(found([1], dataField).items).toEqual([1]);
  });
});

describe('1.5: with dataField', () => {
  test('an array is the items', () => {
    expect(found({ x: { items: [1, 2] } }, 'x.items').items).toEqual([1, 2]);
  });

  test.each([[undefined], [null], [[]], [0], [false], [''], ['0']])('%o is a warning, and no items', (value) => {
    const page: JsonValue = value === undefined ? { x: {} } : { x: { items: value } };
    const warning = "warning: dataField 'x.items' contains no data! Expected a non-empty array.";
    expect(found(page, 'x.items')).toEqual({ items: [], log: [warning] });
  });

  test.each([['a'], [1], [true], [{ a: 1 }], [{}]])('%o is one item', (value) => {
    expect(found({ x: value }, 'x').items).toEqual([value]);
  });

  it('of a dot is the whole page', () => {
    expect(found({ a: 1 }, '.').items).toEqual([{ a: 1 }]);
    expect(found([1, 2], '.').items).toEqual([1, 2]);
    expect(found(null, '.').log).toEqual(["warning: dataField '.' contains no data! Expected a non-empty array."]);
  });

  it('goes into arrays by position, and by another delimiter', () => {
    expect(found({ a: [{ b: [1] }] }, 'a.0.b').items).toEqual([1]);
    expect(found({ a: { 'b.c': [1] } }, { path: 'a/b.c', delimiter: '/' }).items).toEqual([1]);
    expect(found({ a: [1] }, 'a.length').items).toEqual([]);
    expect(found({}, 'constructor').items).toEqual([]);
  });

  it('without a path is refused', () => {
    expect(() => parseDataField({ delimiter: '/' })).toThrow("'dataField.path' must be set!");
  });

  it('counts a null in the array', () => {
    expect(found({ a: [null] }, 'a').items).toEqual([null]);
  });
});
