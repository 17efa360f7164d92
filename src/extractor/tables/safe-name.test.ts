import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { safeColumnName, safeName, UniqueNames } from './safe-name.ts';

const word = (length: number): string => 'w'.repeat(length);

describe('1.11: names', () => {
  it.each([
    ['posts/1/comments', 'posts_1_comments'],
    ['users?a=1&limit=7', 'users_a_1_limit_7'],
    ['__proto__', 'proto'],
    ['a  b__c', 'a_b_c'],
    ['user-id', 'user-id'],
    ['Přehled', 'P_ehled'],
    ['/', ''],
    ['日本', ''],
    ['', ''],
  ])('1.11: %j becomes %j', (text, name) => {
    expect(safeName(text)).toBe(name);
    expect(safeColumnName(text)).toBe(name);
  });

  it('1.11: a name of 64 characters stays; of columns, whose prefix counts, one of 61', () => {
    expect(safeName(word(64))).toBe(word(64));
    expect(safeColumnName(word(61))).toBe(word(61));
  });

  it('1.11: a longer name of one word is its md5, with the end that begins at an underscore and fits', () => {
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    expect(safeName(word(65))).toBe(md5(word(65)));
    expect(safeColumnName(word(62))).toBe(md5(`___${word(62)}`));
    const ended = `${word(60)}_12345`;
    expect(safeName(ended)).toBe(`${md5(ended)}_12345`);
  });

  it('1.11: a longer name of several words keeps its end behind initials, and never has over 64 characters', () => {
    expect(safeName(`${word(40)}/${word(40)}/end`)).toBe(`w_${word(40)}_end`);
    expect(safeName(`${word(40)}-x/${word(40)}/end`)).toBe(`wx_${word(40)}_end`);
    expect(safeColumnName(`${word(40)}.${word(40)}.end`)).toBe(`${word(40)}_end`);
    expect(safeName('a-'.repeat(80)).length).toBeLessThanOrEqual(64);
  });

  it('1.11: equal names get _u0, _u1, past names that are taken', () => {
    const names = new UniqueNames();
    const taken = ['a', 'a_u1', 'a', 'a', 'a', 'a_u0', '', ''].map((name) => names.take(name));
    expect(taken).toEqual(['a', 'a_u1', 'a_u0', 'a_u2', 'a_u3', 'a_u0_u0', '', '_u0']);
  });
});
