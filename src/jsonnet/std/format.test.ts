import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

/** Of each `[format, values]` in jsonnet text what the operator and the function give, which must be the same. */
function formatted(...calls: readonly (readonly [format: string, values: string])[]): unknown {
  const byOperator = valueOf(`[${calls.map(([format, values]) => `'${format}' % ${values}`).join(', ')}]`);
  const byFunction = valueOf(
    `[${calls.map(([format, values]) => `std.format(str='' + '${format}', vals=${values})`).join(', ')}]`,
  );
  expect(byFunction).toEqual(byOperator);
  return byOperator;
}

describe('formats', () => {
  it('put the elements of an array in order', () => {
    expect(formatted(['%s-%s, %d', '["a", [1, "b"], 3]'], ['no codes', '[]'], ['', '[]'])).toEqual([
      'a-[1, "b"], 3',
      'no codes',
      '',
    ]);
  });

  it('take any other value alone', () => {
    expect(formatted(['%s!', '"a"'], ['%d', '5'], ['%s', 'null'], ['%s', 'true'], ['%s', '[[1, 2]]'])).toEqual([
      'a!',
      '5',
      'null',
      'true',
      '[1, 2]',
    ]);
  });

  it('take the fields of an object by name, hidden ones too, any number of times', () => {
    expect(formatted(['%(a)s %(b c)05.1f %(a)s', '{ a:: "x", "b c": 2.25, unused: error "no" }'])).toEqual([
      'x 002.3 x',
    ]);
    expect(formatted(['%(who)s', '{ who: "a " + self.name, name: "b" }'])).toEqual(['a b']);
  });

  it('compute only what they print', () => {
    expect(errorOf('"%d" % [error "no"]')).toContain('no');
    expect(formatted(['%%', '{ a: error "no" }'])).toEqual(['%']);
  });

  it('ignore names before the values of an array', () => {
    expect(formatted(['%(a)s', '["x"]'])).toEqual(['x']);
  });

  it('write a percent sign for %%, with its width', () => {
    expect(formatted(['100%%', '[]'], ['%5%|%-5%|', '[]'])).toEqual(['100%', '    %|%    |']);
  });

  it('skip the length modifiers of C', () => {
    expect(formatted(['%ld %hd %Ld', '[1, 2, 3]'])).toEqual(['1 2 3']);
  });
});

describe('conversions', () => {
  it('d, i and u cut the fraction off', () => {
    expect(formatted(['%d %i %u', '[42, -7.9, 1.9]'], ['%d %d', '[-0.5, 0]'])).toEqual(['42 -7 1', '0 0']);
  });

  it('o and x write other bases', () => {
    expect(formatted(['%o %x %X', '[8, 255, 48879]'], ['%#o %#x %#X', '[8, 255, 255]'], ['%o %x', '[0, 0]'])).toEqual([
      '10 ff BEEF',
      '010 0xff 0XFF',
      '0 0',
    ]);
    expect(formatted(['%x %o', '[-255, -8]'], ['%#o %#x', '[0, 0]'])).toEqual(['-ff -10', '0 0x0']);
  });

  it('f writes a fixed number of digits after the point', () => {
    expect(formatted(['%f %.2f %.0f', '[3.14159, 2.005, 2.5]'], ['%F', '[1]'], ['%#.0f', '[1]'])).toEqual([
      '3.141590 2.01 3',
      '1.000000',
      '1.',
    ]);
    expect(formatted(['%.3f %.1f', '[-0.0004, 9.97]'], ['%.2f', '0'])).toEqual(['-0.000 10.0', '0.00']);
  });

  it('e writes an exponent of at least two digits', () => {
    expect(formatted(['%e %.2e %E', '[12345.678, 0.00012, 5]'], ['%e', '0'], ['%.0e', '[-1.5e300]'])).toEqual([
      '1.234568e+04 1.20e-04 5.000000E+00',
      '0.000000e+00',
      '-2e+300',
    ]);
  });

  it('g writes the shorter of both, without zeros at the end unless # asks for them', () => {
    expect(
      formatted(['%g', '0.0001'], ['%g', '0.00001'], ['%g', '123456'], ['%g', '1234567'], ['%G', '1e-10']),
    ).toEqual(['0.0001', '1e-05', '123456', '1.23457e+06', '1E-10']);
    expect(formatted(['%g %.3g %#g', '[0.5, 3.14159, 1.5]'], ['%g', '0'])).toEqual(['0.5 3.14 1.50000', '0']);
  });

  it('c writes one character, of a string or a code point', () => {
    expect(formatted(['%c%c%c', '[65, "é", "😀"]'])).toEqual(['Aé😀']);
  });

  it('s writes any value as text, whatever the precision', () => {
    expect(formatted(['%s', '[{ a: 1.5 }]'], ['%s', '[[]]'])).toEqual(['{"a": 1.5}', '[ ]']);
    expect(formatted(['%.1s', '["abc"]'])).toEqual(['abc']);
  });
});

describe('flags, width and precision', () => {
  it('width fills up with spaces at the left, with - at the right', () => {
    expect(formatted(['%5d|%-5d|%5s|%-5s|%2s', '[42, 42, "a", "b", "long"]'])).toEqual([
      '   42|42   |    a|b    |long',
    ]);
  });

  it('width counts code points', () => {
    expect(formatted(['%3s|%-3c|', '["😀", "é"]'])).toEqual(['  😀|é  |']);
  });

  it('0 fills numbers up with zeros after the sign, unless - is given; strings with spaces', () => {
    expect(formatted(['%05d %05d %-05d| %05s', '[42, -42, 42, "a"]'], ['%08.3f %09.2e', '[-3.14159, 12345]'])).toEqual([
      '00042 -0042 42   |     a',
      '-003.142 01.23e+04',
    ]);
    expect(formatted(['%#06x %#06o', '[255, 8]'])).toEqual(['0x00ff 000010']);
  });

  it('+ and space show that a number is positive, + before space', () => {
    expect(
      formatted(['%+d % d %+ d %+d', '[1, 2, 3, -4]'], ['%+.1f % x %+e', '[1, 255, 1]'], ['%+05d', '[7]']),
    ).toEqual(['+1  2 +3 -4', '+1.0  ff +1.000000e+00', '+0007']);
  });

  it('precision of a whole number is its least number of digits', () => {
    expect(formatted(['%.3d|%6.3d|%-6.3d|%.4x|%#.4o', '[7, 7, -7, 255, 8]'])).toEqual(['007|   007|-007  |00ff|0010']);
  });

  it('a point without digits is precision 0', () => {
    expect(formatted(['%.f %5.d|', '[2.6, 3]'])).toEqual(['3     3|']);
  });

  it('* takes width and precision from the values', () => {
    expect(formatted(['%*d|%-*d|%.*f|%*.*f', '[5, 42, 5, 42, 2, 3.14159, 8, 3, 2.71828]'])).toEqual([
      '   42|42   |3.14|   2.718',
    ]);
    expect(formatted(['%*d', '[-5, 1]'])).toEqual(['1']);
  });
});

describe('arithmetic of formats', () => {
  it('is that of the published description, also where other languages print other digits', () => {
    expect(formatted(['%e', '1000'], ['%f', '1e20'], ['%.2f', '2.675'], ['%d', '1e22'])).toEqual([
      '10.000000e+02',
      '100000000000000000000.729344',
      '2.68',
      '10000000000000000000000',
    ]);
  });

  it('refuses what is too large for it', () => {
    expect(errorOf('"%.400f" % 1')).toContain('Overflow');
    expect(errorOf('"%f" % 1e305')).toContain('Overflow');
    expect(errorOf('"%.*f" % [-400, 1]')).toContain('Overflow');
  });
});

describe('refusals', () => {
  it.each([
    ['"%d" % "a"', 'Format required number at 0, got string'],
    ['"%s %x" % [1, null]', 'Format required number at 1, got null'],
    ['"%(a)f" % { a: true }', 'Format required number at a, got boolean'],
    ['"%c" % "ab"', '%c expected 1-sized string got: 2'],
    ['"%c" % [[]]', '%c expected number / string, got: array'],
    ['"%c" % -1', 'Codepoints must be >= 0'],
    ['"%d %d" % [1]', 'Not enough values to format: 1, expected more than 1'],
    ['"%*d" % []', 'Not enough values to format: 0, expected at least 0'],
    ['"%d" % [1, 2]', 'Too many values to format: 2, expected 1'],
    ['"" % 1', 'Too many values to format: 1, expected 0'],
    ['"%*d" % ["a", 1]', 'Unexpected type string, expected number'],
    ['"%(b)d" % { a: 1 }', 'No such field: b'],
    ['"%(toString)s" % { a: 1 }', 'No such field: toString'],
    ['"%d" % { a: 1 }', 'Mapping keys required.'],
    ['"%(a)*d" % { a: 1 }', 'Cannot use * field width with object.'],
    ['"%(a).*d" % { a: 1 }', 'Cannot use * precision with object.'],
    ['"%q" % 1', 'Unrecognised conversion type: q'],
    ['"%😀" % 1', 'Unrecognised conversion type: 😀'],
    ['"%lld" % 1', 'Unrecognised conversion type: l'],
    ['"%" % 1', 'Truncated format code.'],
    ['"a%5" % 1', 'Truncated format code.'],
    ['"%5." % 1', 'Truncated format code.'],
    ['"%l" % 1', 'Truncated format code.'],
    ['"%(a" % { a: 1 }', 'Truncated format code.'],
    ['"%(a)" % { a: 1 }', 'Truncated format code.'],
    ['"%d" % function(x) x', 'Format required number at 0, got function'],
    ['std.format(1, 2)', 'std.format: argument "str": Unexpected type number, expected string'],
  ])('%s', (source, message) => {
    expect(errorOf(source)).toContain(message);
    const late = source.replace(/^("[^"]*")/, '(if true then $1 else "")');
    expect(errorOf(late)).toContain(message);
  });

  it('of a format that is never used do nothing', () => {
    expect(valueOf('if true then 1 else "%q" % 1')).toBe(1);
  });

  it.each([
    '"%1000000000d" % 1',
    '"%.1000000000x" % 1',
    '"%-1000000000s" % "a"',
    '"%*d" % [1e308, 1]',
    '"%1000000s%1000000s" % ["a", "b"]',
    '"%99999999999999999999999999999999999999s" % 1',
    '"%s%s" % [std.repeat("a", 600000), std.repeat("a", 600000)]',
  ])('%s is more text than a string may have', (source) => {
    expect(errorOf(source)).toMatch(/^limit .*textLength/);
  });

  it('of formats that take too long name the limit', () => {
    expect(errorOf('std.repeat("%d", 500000) % std.repeat([1], 500000)')).toMatch(/^limit .*steps/);
  });
});

describe('std.mod', () => {
  it('is the operator %', () => {
    expect(valueOf('[std.mod(7, 3), std.mod(-7, 3), std.mod(a="%d!", b=1)]')).toEqual([1, -1, '1!']);
  });

  it('refuses other types', () => {
    expect(errorOf('std.mod(null, 1)')).toContain('Operator % cannot be used on types null and number.');
    expect(errorOf('std.mod(1, "a")')).toContain('Operator % cannot be used on types number and string.');
    expect(errorOf('std.mod(1, 0)')).toContain('Division by zero.');
  });
});
