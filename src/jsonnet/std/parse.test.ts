import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.parseInt', () => {
  it.each([
    ['123', 123],
    ['-7', -7],
    ['+5', 5],
    ['007', 7],
    ['-0', 0],
    ['9223372036854774784', 9223372036854774784],
  ])('reads %j', (text, value) => expect(valueOf(`std.parseInt('${text}')`)).toBe(value));

  it.each(['', '-', '1.5', '1e3', ' 1', '1_0', '0x1', '9999999999999999999', '１'])('refuses %j', (text) => {
    expect(() => valueOf(`std.parseInt('${text}')`)).toThrow('is not a base 10 integer');
  });

  it('refuses what is no string', () => {
    expect(() => valueOf('std.parseInt(1)')).toThrow('std.parseInt: argument "str"');
  });
});

describe('std.parseOctal and std.parseHex', () => {
  it('read digits of their base, in both cases of letters', () => {
    expect(valueOf("[std.parseOctal('755'), std.parseHex('fF'), std.parseHex('0010')]")).toEqual([493, 255, 16]);
  });

  it('refuse other characters, signs and no digits at all', () => {
    expect(() => valueOf("std.parseOctal('8')")).toThrow('8 is not a base 8 integer');
    expect(() => valueOf("std.parseHex('-1')")).toThrow('-1 is not a base 16 integer');
    expect(() => valueOf("std.parseHex('0x1')")).toThrow('0x1 is not a base 16 integer');
    expect(() => valueOf("std.parseOctal('')")).toThrow('Not an octal number: ""');
    expect(() => valueOf("std.parseHex('')")).toThrow('Not hexadecimal: ""');
  });

  it('refuse a number that is too large', () => {
    expect(() => valueOf("std.parseHex(std.join('', ['f' for i in std.range(1, 300)]))")).toThrow('Overflow');
  });
});

describe('std.parseJson', () => {
  const parsed = (text: string): unknown => valueOf(`std.parseJson(${JSON.stringify(text)})`);

  it.each(['null', 'true', '"a\\"b"', '-0.5e2', '[]', '{"a":[1,{"b":null}]}'])('reads %s', (text) => {
    expect(parsed(text)).toEqual(JSON.parse(text));
  });

  it('makes an object that can be used as any other', () => {
    expect(valueOf(`(std.parseJson('{"b": 1, "__proto__": 2}') + { c: self.b })`)).toEqual(
      JSON.parse('{"__proto__":2,"b":1,"c":1}'),
    );
  });

  it.each(['', '[1,]', '1 2', "'a'", '{a:1}', 'NaN'])('refuses %j', (text) => {
    expect(() => parsed(text)).toThrow('failed to parse JSON');
  });

  it('refuses a number that is too large', () => {
    expect(() => parsed('{"a":[1e400]}')).toThrow('a number is too large');
    expect(() => parsed('9'.repeat(400))).toThrow('a number is too large');
    expect(parsed('[1e-400, 1e308]')).toEqual([0, 1e308]);
  });

  it('reads half a surrogate pair as U+FFFD', () => {
    expect(parsed(String.raw`"\ud83d\ude00 \ud83d \uDE00 \\ud83d"`)).toBe('😀 \ufffd \ufffd \\ud83d');
  });

  it('keeps to the limit of elements', () => {
    const text = `[${'1,'.repeat(20)}1]`;
    const limits = { arrayLength: 20 };
    expect(() => valueOf(`std.length(std.parseJson('${text}'))`, { limits })).toThrow('limit arrayLength exceeded');
  });
});

it('a refused text is cut in the message', () => {
  expect(() => valueOf("std.parseInt(std.join('', ['x' for i in std.range(1, 1000)]))")).toThrow(/^x{40}… is not/);
});
