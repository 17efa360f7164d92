import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('strings', () => {
  it('of double and single quotes have the escapes of JSON and \\u0027', () => {
    expect(valueOf(String.raw`"a\n\t\"\'\\\/\b\f\r\u00e9\ud83d\ude00"`)).toBe('a\n\t"\'\\/\b\f\ré😀');
    expect(valueOf(String.raw`'it\'s "x"' + "it's"`)).toBe('it\'s "x"it\'s');
    expect(valueOf('"two\nlines"')).toBe('two\nlines');
  });

  it('that are verbatim have no escape but the doubled quote', () => {
    expect(valueOf(String.raw`@"a\n""b" + @'c\''d'`)).toBe('a\\n"bc\\\'d');
  });

  it('in blocks lose the white space of the first line, and the last line break after |||-', () => {
    expect(valueOf('|||\n  a\n    b\n\n  c\n|||')).toBe('a\n  b\n\nc\n');
    expect(valueOf('|||-\n  a\n  b\n|||')).toBe('a\nb');
    expect(valueOf('{ x: |||\n\ta\n  |||, y: 1 }')).toEqual({ x: 'a\n', y: 1 });
    expect(valueOf('|||\n\n  a\n|||')).toBe('\na\n');
  });

  it('that are not right are refused with their place', () => {
    expect(errorOf('1 + "abc')).toBe('static 1:5-6 Unterminated String');
    expect(errorOf(String.raw`"a\x"`)).toBe(String.raw`static 1:3-5 Unknown escape sequence in string literal: \x`);
    expect(errorOf(String.raw`"\u12g4"`)).toContain('Unicode escape sequence was malformed');
    expect(errorOf(String.raw`"\ud83d"`)).toContain('one half of a surrogate pair');
    expect(errorOf(String.raw`"\ude00\ud83d"`)).toContain('one half of a surrogate pair');
    expect(errorOf('|||\na\n|||')).toContain("Text block's first line must start with whitespace");
    expect(errorOf('||| a')).toContain('Text block requires new line after |||');
    expect(errorOf('|||\n  a\n')).toContain('Text block not terminated with |||');
    expect(errorOf('@x')).toContain("junk after '@'");
  });
});

describe('numbers', () => {
  it('may have a fraction, an exponent and underscores between digits', () => {
    expect(valueOf('[0, 10, 0.5, 1e3, 1E-2, 1.5e+2, 1_000_000, 1.2_5, 1e1_0]')).toEqual([
      0, 10, 0.5, 1000, 0.01, 150, 1_000_000, 1.25, 1e10,
    ]);
  });

  it('that are not right are refused', () => {
    expect(errorOf('01')).toContain('static 1:1-3');
    expect(errorOf('.5')).toContain('Unexpected: "."');
    expect(errorOf('1.')).toContain('junk after decimal point');
    expect(errorOf('1e')).toContain("junk after 'E'");
    expect(errorOf('1_')).toContain('_ must stand between digits');
    expect(errorOf('1__0')).toContain('_ must stand between digits');
    expect(errorOf('1e400')).toContain('Number out of range');
  });

  it('print the shortest text that reads back, whole ones without exponent', () => {
    expect(valueOf('"" + [0.1, 1e21, 1e-7, -0, 100, 1.5e300 == 1.5e300, 2 / 3]')).toBe(
      '[0.1, 1000000000000000000000, 1e-7, -0, 100, true, 0.6666666666666666]',
    );
    expect(valueOf('std.length("" + 1e300)')).toBe(301);
  });
});

describe('comments', () => {
  it('go to the end of the line or to */', () => {
    expect(valueOf('// a\n# b\n/* c\n * d */ 1 /**/ + /* e */ 2 // f')).toBe(3);
    expect(errorOf('1 /* a')).toBe('static 1:3-5 Multi-line comment has no terminating */');
  });
});

describe('operators', () => {
  it('bind as the language says, to the left', () => {
    expect(valueOf('[1 + 2 * 3 % 4, 10 - 3 - 2, 2 * (3 + 4), 100 / 10 / 2]')).toEqual([3, 5, 14, 5]);
    expect(valueOf('[1 < 2 == true, 1 + 1 << 2, 1 | 2 ^ 3 & 4 << 1, !true || true && false == false]')).toEqual([
      true,
      8,
      3,
      true,
    ]);
    expect(valueOf('[- - 1, -1 + ~-1, !!true, -{ a: 1 }.a, "a" in { a: 1 } == true]')).toEqual([1, -1, true, -1, true]);
    expect(valueOf('local f(x) = x; [1 + if true then 2 else 3 + 4, f(2)*-f(1), 1==-1]')).toEqual([3, -2, false]);
  });

  it('next to comments and text blocks end where these begin', () => {
    expect(valueOf('1+//x\n2')).toBe(3);
    expect(valueOf('"a"+|||\n  b\n|||')).toBe('ab\n');
  });

  it('that do not exist are refused', () => {
    expect(errorOf('1 === 2')).toContain('Not a binary operator: "==="');
    expect(errorOf('1 = 2')).toContain('Not a binary operator: "="');
    expect(errorOf('*1')).toContain('Not a unary operator: "*"');
  });
});

describe('static checks', () => {
  it('name an unknown variable and its place, also in code that never runs', () => {
    expect(errorOf('local x = 1;\n{ a: [y] }')).toBe('static 2:7-8 Unknown variable: y');
    expect(errorOf('if true then 1 else nope')).toBe('static 1:21-25 Unknown variable: nope');
    expect(errorOf('[x for y in [1]]')).toContain('Unknown variable: x');
  });

  it('refuse a name twice', () => {
    expect(errorOf('local x = 1, x = 2; x')).toBe('static 1:14-15 Duplicate local var: x');
    expect(errorOf('{ a: 1, "a": 2 }')).toBe('static 1:9-12 Duplicate field: a');
    expect(errorOf('function(x, x) 1')).toBe('static 1:13-14 Duplicate parameter: x');
    expect(errorOf('{ local a = 1, local a = 2 }')).toBe('static 1:22-23 Duplicate local var: a');
  });

  it('refuse self, super and $ outside of objects', () => {
    expect(errorOf('self.a')).toBe("static 1:1-5 Can't use self outside of an object.");
    expect(errorOf('local f() = super.a; 1')).toBe("static 1:13-20 Can't use super outside of an object.");
    expect(errorOf('$')).toBe('static 1:1-2 No top-level object found.');
  });

  it('refuse imports', () => {
    for (const word of ['import', 'importstr', 'importbin']) {
      expect(errorOf(`{ a: ${word} "/etc/passwd" }`)).toBe(`static 1:6-${6 + word.length} imports are not enabled`);
    }
  });

  it('refuse a positional argument after a named one', () => {
    expect(errorOf('local f(a, b) = 1; f(a=1, 2)')).toContain('Positional argument after a named argument');
    expect(errorOf('local f(a) = 1; f(a=1, a=2)')).toContain('Argument a already provided');
  });
});

describe('syntax errors', () => {
  it('say what was expected and what is there', () => {
    expect(errorOf('(1')).toBe('static 1:3-4 Expected token ")" but got end of file');
    expect(errorOf('{ a: 1 b: 2 }')).toBe('static 1:8-9 Expected a comma before next field, got "b"');
    expect(errorOf('[1 2]')).toBe('static 1:4-5 Expected a comma before next array element, got "2"');
    expect(errorOf('{ a 1 }')).toContain('Expected one of :, ::, :::, +:, +::, +:::, got "1"');
    expect(errorOf('{ f(x)+: 1 }')).toContain('Cannot use +: syntax sugar in a method: f');
    expect(errorOf('1 2')).toBe('static 1:3-4 Did not expect: "2"');
    expect(errorOf('')).toBe('static 1:1-2 Unexpected end of file');
    expect(errorOf('a ? b')).toBe('static 1:3-4 Could not lex the character "?"');
    expect(errorOf('{ if: 1 }')).toContain('"if"');
  });

  it('refuse what is nested or chained too far, instead of running out of stack', () => {
    for (const open of ['[', '(', '{a:', '[[1,', 'f(', 'if true then ', '-(', 'function() ', 'local a = ']) {
      expect(errorOf(open.repeat(5000))).toContain('static');
    }
    expect(errorOf(`1${'+1'.repeat(3000)}`)).toContain('A chain of more than 2000 operators');
    expect(errorOf(`${'!'.repeat(5000)}true`)).toContain('A chain of more than 2000 operators');
    expect(errorOf(`local a = {}; a${'.b'.repeat(5000)}`)).toContain('A chain of more than 2000');
    expect(valueOf(`1${'+1'.repeat(1500)}`)).toBe(1501);
  });
});
