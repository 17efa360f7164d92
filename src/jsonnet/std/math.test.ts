import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

/** What `std.name` gives for each of these argument lists. */
const results = (name: string, ...calls: readonly string[]): unknown =>
  valueOf(`[${calls.map((args) => `std.${name}(${args})`).join(', ')}]`);

describe('numbers', () => {
  it.each([
    ['abs', ['-3', '0', 'n=2.5'], [3, 0, 2.5]],
    ['sign', ['-3', '0', 'n=0.5'], [-1, 0, 1]],
    ['max', ['1, 2', 'b=-1, a=-2'], [2, -1]],
    ['min', ['1, 2', 'b=-1, a=-2'], [1, -2]],
    ['clamp', ['-3, 0, 5', '4, 0, 5', 'x=8, minVal=0, maxVal=5', '"b", "c", "d"'], [0, 4, 5, 'c']],
    ['pow', ['2, 10', '4, 0.5', '2, -1', 'n=3, x=-2', '0, 0'], [1024, 2, 0.5, -8, 1]],
    ['exp', ['0', '-1000'], [1, 0]],
    ['log', ['1', 'x=std.exp(2)'], [0, 2]],
    ['log2', ['8', '1'], [3, 0]],
    ['log10', ['100', '1'], [2, 0]],
    ['sqrt', ['9', '2'], [3, Math.SQRT2]],
    ['hypot', ['3, 4', 'y=0, x=-2'], [5, 2]],
    ['floor', ['1.9', '-1.1', '2'], [1, -2, 2]],
    ['ceil', ['1.1', '-1.9', '2'], [2, -1, 2]],
    ['round', ['0.5', '1.5', '-1.5', '-2.5', '1.4', '0.49999999999999994'], [1, 2, -2, -3, 1, 0]],
    ['sin', ['0', 'std.pi / 2'], [0, 1]],
    ['cos', ['0', 'std.pi'], [1, -1]],
    ['tan', ['0'], [0]],
    ['asin', ['1'], [Math.PI / 2]],
    ['acos', ['1'], [0]],
    ['atan', ['0'], [0]],
    ['atan2', ['1, 0', 'x=-1, y=0'], [Math.PI / 2, Math.PI]],
    ['deg2rad', ['180', '0'], [Math.PI, 0]],
    ['rad2deg', ['std.pi', '0'], [180, 0]],
    ['modulo', ['7, 3', '-7, 3', '5.5, 2'], [1, -1, 1.5]],
    ['isEven', ['2', '3', '-2', '2.9', '0'], [true, false, true, true, true]],
    ['isOdd', ['2', '3', '-3', '3.9'], [false, true, true, true]],
    ['isInteger', ['2', '2.5', '1e300', '-0'], [true, false, true, true]],
    ['isDecimal', ['2', '2.5'], [false, true]],
    ['mantissa', ['8', '0.1', '-3', '0'], [0.5, 0.8, -0.75, 0]],
    ['exponent', ['8', '0.1', '-3', '0', '5e-324'], [4, -3, 2, 0, -1073]],
  ])('std.%s', (name, calls, expected) => expect(results(name, ...calls)).toEqual(expected));

  it.each([
    ['std.log(0)', 'Overflow'],
    ['std.log(-1)', 'Not a number'],
    ['std.sqrt(-1)', 'Not a number'],
    ['std.exp(1000)', 'Overflow'],
    ['std.pow(10, 400)', 'Overflow'],
    ['std.pow(0, -1)', 'Overflow'],
    ['std.pow(-1, 0.5)', 'Not a number'],
    ['std.asin(2)', 'Not a number'],
    ['std.rad2deg(1e308)', 'Overflow'],
    ['std.modulo(1, 0)', 'Division by zero.'],
  ])('%s is an error', (source, message) =>
    expect(errorOf(source)).toContain(`runtime 1:1-${source.length + 1} ${message}`),
  );

  it('refuse what is no number, with function and parameter', () => {
    expect(errorOf('std.abs("1")')).toContain('std.abs: argument "n": Unexpected type string, expected number');
    expect(errorOf('std.max(1, null)')).toContain('std.max: argument "b": Unexpected type null, expected number');
    expect(errorOf('std.pow(2, "1")')).toContain('std.pow: argument "n": Unexpected type string, expected number');
    expect(errorOf('std.atan2(true, 1)')).toContain('std.atan2: argument "y": Unexpected type boolean');
    expect(errorOf('std.clamp(null, 1, 2)')).toContain('Unexpected type null');
  });
});

describe('booleans', () => {
  it('std.xor holds when one of two does, std.xnor when both or none do', () => {
    const pairs = '[false, false], [true, false], [false, true], [true, true]';
    expect(valueOf(`[std.xor(p[0], p[1]) for p in [${pairs}]]`)).toEqual([false, true, true, false]);
    expect(valueOf(`[std.xnor(x=p[0], y=p[1]) for p in [${pairs}]]`)).toEqual([true, false, false, true]);
  });

  it('refuse other values', () => {
    expect(errorOf('std.xor(1, true)')).toContain('std.xor: argument "x": Unexpected type number, expected boolean');
  });
});
