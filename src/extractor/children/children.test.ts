import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../values/json-value.ts';
import { fillPlaceholders, withPlaceholders } from './placeholders.ts';
import { parseRecursionFilter } from './recursion-filter.ts';

const none = (): never => {
  throw new Error('nobody asked for a function');
};

/** The endpoints of the runs of a child. */
function endpoints(endpoint: string, placeholders: JsonObject, ...parents: readonly JsonValue[]): readonly string[] {
  return fillPlaceholders(placeholders, parents, none).map((run) => withPlaceholders(endpoint, run));
}

describe('1.9: placeholders of a child job', () => {
  it('are values of the item that it belongs to, and of those above', () => {
    const made = endpoints('a/{2:id}/b/{id}/{id}', { id: 'key.n', '2:id': 'id' }, { key: { n: 7 } }, { id: 'x$&' });
    expect(made).toEqual(['a/x$&/b/7/7']);
  });

  it('with arrays are a run for each combination of their elements', () => {
    expect(endpoints('{a}{b}{c}', { a: 'a', b: 'b', c: 'c' }, { a: [1, 2], b: 'x', c: [3, 4] })).toEqual([
      '1x3',
      '1x4',
      '2x3',
      '2x4',
    ]);
    expect(endpoints('{a}', { a: 'a' }, { a: [] })).toEqual([]);
  });

  it('may have a function', () => {
    const definition = { path: 'id', function: 'urlencode', args: [{ placeholder: 'value' }] };
    const apply = (given: JsonObject, value: JsonValue): JsonValue => [given === definition, value];
    expect(fillPlaceholders({ id: definition }, [{ id: 'a b' }], apply).map(([one]) => one?.value)).toEqual([
      true,
      'a b',
    ]);
  });

  it('in other places stay as they are', () => {
    expect(endpoints('{a}/{b}', { a: 'a' }, { a: '{b}' })).toEqual(['{b}/{b}']);
  });

  test.each<[JsonObject, string]>([
    [{ uid: 'id' }, 'No value found for uid in parent result. (level: 1)'],
    [{ '1:uid': 'constructor' }, 'No value found for 1:uid in parent result. (level: 1)'],
    [{ '3:uid': 'id' }, 'Level 3 not found in parent results! Maximum level: 1'],
    [
      { uid: 7 },
      "The path for placeholder 'uid' must be a string value or an object containing 'path' and 'function'.",
    ],
    [
      { uid: {} },
      "The path for placeholder 'uid' must be a string value or an object containing 'path' and 'function'.",
    ],
  ])('are refused where there is no value: %o', (placeholders, message) => {
    expect(() => endpoints('{uid}', placeholders, { other: 1 })).toThrow(message);
  });
});

describe('1.9: recursionFilter', () => {
  const item = { id: 10, a: { name: 'Anna Bell' }, empty: '', yes: true };

  test.each([
    ['id==10', true],
    ['id==10.0', true],
    ['id!=10', false],
    ['id>9', true],
    ['id<9', false],
    ['id>=10', true],
    ['id<=9', false],
    ['id== 10', true],
    ['id ==10', false],
    ['yes==1', true],
    ['a.name==Anna Bell', true],
    ['a.name>Anna', true],
    ['nothing==', true],
    ['empty==', true],
    ['a.name~~Anna%', true],
    ['a.name~~%Be%', true],
    ['a.name~~%Bell', true],
    ['a.name~~A%B%l', true],
    ['a.name~~Anna', false],
    ['a.name~~%Anna', false],
    ['a.name~~Anna Be%ell', false],
    ['a.name!~Anna%', false],
    ['a.name!~Bob%', true],
    ['id==1&id==2|id==10', true],
    ['id==10|id==1&id==2', true],
    ['id==10&id==2|id==1', false],
  ])('%s is %s', (expression, isTaken) => {
    expect(parseRecursionFilter(expression)(item)).toBe(isTaken);
  });

  test('without an operator is refused', () => {
    expect(() => parseRecursionFilter('id=2')).toThrow(
      "Error creating a filter from id=2: Operator couldn't be determined. Please use one of [==, !=, >=, <=, >, <, ~~, !~]",
    );
    expect(() => parseRecursionFilter('id==2&')).toThrow('Error creating a filter from :');
  });
});
