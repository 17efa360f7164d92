import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.base64', () => {
  it('encodes text in UTF-8 and arrays of bytes', () => {
    expect(valueOf("[std.base64(x) for x in ['', 'a', 'ab', 'abc', 'é', [], [0, 255, 16]]]")).toEqual([
      '',
      'YQ==',
      'YWI=',
      'YWJj',
      'w6k=',
      '',
      'AP8Q',
    ]);
  });

  it('refuses code points and numbers above 255, and what is no whole number', () => {
    expect(() => valueOf("std.base64('a😀')")).toThrow('must be 0 <= X <= 255), got 128512');
    expect(() => valueOf('std.base64([256])')).toThrow('must be 0 <= X <= 255), got 256');
    expect(() => valueOf('std.base64([-1])')).toThrow('must be 0 <= X <= 255), got -1');
    expect(() => valueOf('std.base64([1.5])')).toThrow('non-integer value in the array, got number');
    expect(() => valueOf("std.base64(['a'])")).toThrow('non-integer value in the array, got string');
    expect(() => valueOf('std.base64({})')).toThrow('strings / arrays of single bytes, got object');
  });
});

describe('std.base64Decode and std.base64DecodeBytes', () => {
  it('decode to text in UTF-8 and to bytes', () => {
    expect(valueOf("[std.base64Decode(x) for x in ['', 'YQ==', 'w6k=', '8J+YgA==']]")).toEqual(['', 'a', 'é', '😀']);
    expect(valueOf("std.base64DecodeBytes('AP8Q')")).toEqual([0, 255, 16]);
  });

  it('pass over ends of lines', () => {
    expect(valueOf("std.base64Decode('YWJj\\r\\n\\r\\nZGVm')")).toBe('abcdef');
  });

  it.each(['YQ=', 'a'])('refuse %j by its length', (text) => {
    expect(() => valueOf(`std.base64Decode('${text}')`)).toThrow('Wrong length found');
  });

  it.each(['Y===', 'Y!==', 'YQ==YQ==', 'YW J', '-_-_'])('refuse %j by its digits', (text) => {
    expect(() => valueOf(`std.base64DecodeBytes('${text}')`)).toThrow('illegal base64 data');
  });
});

describe('std.encodeUTF8 and std.decodeUTF8', () => {
  it('are the bytes of a text, and back', () => {
    expect(valueOf("std.encodeUTF8('aé😀')")).toEqual([97, 195, 169, 240, 159, 152, 128]);
    expect(valueOf("std.decodeUTF8(std.encodeUTF8('aé日😀\ufffd'))")).toBe('aé日😀\ufffd');
  });

  it.each([
    [[255], '\ufffd'],
    [[226, 130], '\ufffd\ufffd'],
    [[226, 130, 65], '\ufffd\ufffdA'],
    [[237, 160, 128], '\ufffd\ufffd\ufffd'],
    [[224, 128, 128, 65], '\ufffd\ufffd\ufffdA'],
    [[239, 191, 189, 195], '\ufffd\ufffd'],
  ])('%j has a U+FFFD for each byte that is no part of a character', (bytes, text) => {
    expect(valueOf(`std.decodeUTF8(${JSON.stringify(bytes)})`)).toBe(text);
  });

  it('refuse what is no byte', () => {
    expect(() => valueOf('std.decodeUTF8([256])')).toThrow('must be integers in range [0, 255], got 256');
    expect(() => valueOf("std.decodeUTF8(['a'])")).toThrow('must be integers in range [0, 255], got string');
    expect(() => valueOf("std.decodeUTF8('a')")).toThrow('std.decodeUTF8: argument "arr"');
  });
});
