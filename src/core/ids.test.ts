import { describe, expect, test } from 'vitest';
import { parseBranchId, parseIncarnation, parseSinkId, parseSourceId } from './ids.ts';

describe('branch ids', () => {
  test('`default` is branch 1', () => expect(parseBranchId('default')).toBe(1));
  test('a positive integer is a branch', () => expect(parseBranchId('42')).toBe(42));
  test.each(['', '0', '-1', '1.5', 'x', 'Default', '1234567890123456'])(
    'D9: %j is refused by name and rule',
    (text) => {
      expect(() => parseBranchId(text)).toThrow(`invalid branch: expected "default" or <int>, given "${text}"`);
    },
  );
});

describe('source and sink ids', () => {
  test('a given id is normalised like a name', () => expect(parseSourceId('My Source')).toBe('my-source'));
  test('D9: an id that nothing is left of names its field', () => {
    expect(() => parseSinkId('!!!')).toThrow('"sinkId" must not be empty');
  });
  test('D8: an id that would not fit into a topic name is refused', () => {
    expect(() => parseSourceId('a'.repeat(105))).toThrow('at most 104 are allowed');
  });
  test('D8: a message repeats no more of a text than an id can have', () => {
    for (const character of ['a', '!']) {
      expect(() => parseSourceId(character.repeat(100_000))).toThrow(/^.{0,500}$/);
      expect(() => parseBranchId(character.repeat(100_000))).toThrow(/^.{0,500}$/);
    }
  });
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 53])('D9: %d is no incarnation', (value) => {
  expect(() => parseIncarnation(value)).toThrow('expected a positive integer');
});
