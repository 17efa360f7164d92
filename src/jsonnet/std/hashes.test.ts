import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('hashes', () => {
  it.each([
    ['md5', '187ef4436122d1cc2f40dc2b92f0eba0'],
    ['sha1', 'da23614e02469a0d7c7bd1bdab5c9c474b1904dc'],
    ['sha256', 'fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603'],
  ])('std.%s is in hexadecimal', (name, hash) => expect(valueOf(`std.${name}(s='ab')`)).toBe(hash));

  it('std.sha512 and std.sha3 have 512 bits', () => {
    expect(valueOf("[std.sha512('ab'), std.sha3('ab')]")).toEqual([
      '2d408a0717ec188158278a796c689044361dc6fdde28d6f04973b80896e1823975cdbf12eb63f9e0591328ee235d80e9b5bf1aa6a44f4617ff3caf6400eb172d',
      '01c87b5e8f094d8725ed47be35430de40f6ab6bd7c6641a4ecf0d046c55cb468453796bb61724306a5fb3d90fbe3726a970e5630ae6a9cf9f30d2aa062a0175e',
    ]);
  });

  it('are those of UTF-8', () => {
    expect(valueOf("std.md5('é')")).toBe('66ddcd97cfdeabb2f6fb8a999b4bc76f');
  });

  it('refuse what is no string', () => {
    expect(() => valueOf('std.sha1(1)')).toThrow('std.sha1: argument "s": Unexpected type number, expected string');
  });
});
