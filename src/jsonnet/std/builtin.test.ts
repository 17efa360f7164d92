import { describe, expect, it } from 'vitest';
import { Evaluation } from '../evaluation.ts';
import { defaultLimits } from '../limits.ts';
import { lazy } from '../values/thunk.ts';
import { builtin } from './builtin.ts';
import { BuiltinFunction } from './builtin-function.ts';
import { builtins } from './index.ts';

const evaluation = new Evaluation({ limits: defaultLimits, context: undefined, extVars: {}, natives: {} });

const repeat = new BuiltinFunction(
  builtin('repeat', ['what: string', 'count: number', 'separator?: string|null'], ([what, count, separator]) =>
    Array.from({ length: count }, () => what).join(separator ?? '-'),
  ),
);

describe('a function of std', () => {
  it('gets its arguments computed, in the order of its parameters', () => {
    expect(evaluation.call(repeat, ['a', lazy(() => 3)])).toBe('a-a-a');
    expect(
      repeat.applyNamed(
        ['a'],
        [
          ['separator', ''],
          ['count', 2],
        ],
        evaluation,
      ),
    ).toBe('aa');
  });

  it('refuses an argument of another type with its own name and that of the parameter', () => {
    expect(() => evaluation.call(repeat, ['a', 'b'])).toThrow(
      'std.repeat: argument "count": Unexpected type string, expected number',
    );
    expect(() => evaluation.call(repeat, ['a', 1, true])).toThrow('expected string or null');
  });

  it('refuses too many, missing, unknown and repeated arguments', () => {
    expect(() => evaluation.call(repeat, ['a', 1, '', ''])).toThrow(
      'function expected 3 positional argument(s), but got 4',
    );
    expect(() => evaluation.call(repeat, ['a'])).toThrow('Missing argument: count');
    expect(() => repeat.applyNamed([], [['x', 1]], evaluation)).toThrow('function has no parameter x');
    expect(() => repeat.applyNamed(['a'], [['what', 1]], evaluation)).toThrow('Argument what already provided');
  });

  it('does not compute a lazy argument', () => {
    const first = new BuiltinFunction(builtin('first', ['a: any', 'b: lazy'], ([a]) => a));
    const fail = lazy(() => {
      throw new Error('computed');
    });
    expect(evaluation.call(first, [1, fail])).toBe(1);
  });

  it('has a name of its own', () => {
    const names = builtins.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
