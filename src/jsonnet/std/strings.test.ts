import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.toString', () => {
  it('leaves a string and writes all else as JSON in one line', () => {
    expect(valueOf('[std.toString(v) for v in ["a\\n", 1.5, null, true, [1, "b"], { b: 1, a: [], h:: 2 }]]')).toEqual([
      'a\n',
      '1.5',
      'null',
      'true',
      '[1, "b"]',
      '{"a": [ ], "b": 1}',
    ]);
  });

  it('refuses functions', () => {
    expect(errorOf('std.toString(function(x) x)')).toContain('function');
  });
});

describe('std.isEmpty', () => {
  it('holds for the string without characters', () => {
    expect(valueOf('[std.isEmpty(""), std.isEmpty(str=" ")]')).toEqual([true, false]);
  });

  it('refuses what is no string', () => {
    expect(errorOf('std.isEmpty([])')).toContain('std.isEmpty: argument "str": Unexpected type array, expected string');
  });
});

describe('std.lines', () => {
  it('ends each string with a line break, and leaves out nulls', () => {
    expect(valueOf('std.lines(["a", null, "", "b\\n"])')).toBe('a\n\nb\n\n');
    expect(valueOf('std.lines([])')).toBe('');
  });

  it('refuses other elements', () => {
    expect(errorOf('std.lines(["a", 1])')).toContain('std.lines: Unexpected type number, expected string');
    expect(errorOf('std.lines("a")')).toContain('argument "arr": Unexpected type string, expected array');
  });

  it('stays within the length of a string', () => {
    expect(errorOf('std.lines(std.repeat([std.repeat("a", 1000)], 2000))')).toContain('textLength');
  });
});

describe('std.resolvePath', () => {
  it('puts a name in the folder of a file', () => {
    expect(valueOf('[std.resolvePath(f, "z") for f in ["a/b/c", "/c", "c", "a/"]]')).toEqual([
      'a/b/z',
      '/z',
      'z',
      'a/z',
    ]);
  });
});
