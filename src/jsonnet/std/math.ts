import { finite } from '../operators/add.ts';
import { modulo } from '../operators/arithmetic.ts';
import { compare } from '../operators/compare.ts';
import { builtin, type Builtin } from './builtin.ts';
import { splitNumber } from './split-number.ts';

/** Numbers. What is no number (a root of -1) or is too large for one is an error. */
export const math: readonly Builtin[] = [
  builtin('abs', ['n: number'], ([value]) => Math.abs(value)),
  builtin('sign', ['n: number'], ([value]) => (value > 0 ? 1 : value < 0 ? -1 : 0)),
  builtin('max', ['a: number', 'b: number'], ([one, other]) => (one > other ? one : other)),
  builtin('min', ['a: number', 'b: number'], ([one, other]) => (one < other ? one : other)),
  builtin('clamp', ['x: any', 'minVal: any', 'maxVal: any'], ([value, least, most], evaluation) => {
    if (compare(value, least, evaluation) < 0) return least;
    return compare(value, most, evaluation) > 0 ? most : value;
  }),
  calculation('pow', ['x', 'n'], Math.pow),
  calculation('exp', ['x'], Math.exp),
  calculation('log', ['x'], Math.log),
  // Quotients, as published: log10(1000) is 2.9999999999999996.
  calculation('log2', ['x'], (value) => Math.log(value) / Math.LN2),
  calculation('log10', ['x'], (value) => Math.log(value) / Math.LN10),
  calculation('sqrt', ['x'], Math.sqrt),
  calculation('hypot', ['x', 'y'], Math.hypot),
  calculation('floor', ['x'], Math.floor),
  calculation('ceil', ['x'], Math.ceil),
  calculation('round', ['x'], roundHalfAway),
  calculation('sin', ['x'], Math.sin),
  calculation('cos', ['x'], Math.cos),
  calculation('tan', ['x'], Math.tan),
  calculation('asin', ['x'], Math.asin),
  calculation('acos', ['x'], Math.acos),
  calculation('atan', ['x'], Math.atan),
  calculation('atan2', ['y', 'x'], Math.atan2),
  calculation('deg2rad', ['x'], (value) => (value * Math.PI) / 180),
  calculation('rad2deg', ['x'], (value) => (value * 180) / Math.PI),
  calculation('mantissa', ['x'], (value) => splitNumber(value).mantissa),
  calculation('exponent', ['x'], (value) => splitNumber(value).exponent),
  builtin('modulo', ['x: number', 'y: number'], ([one, other], evaluation) => modulo(one, other, evaluation)),
  builtin('isEven', ['x: number'], ([value]) => Math.trunc(value) % 2 === 0),
  builtin('isOdd', ['x: number'], ([value]) => Math.trunc(value) % 2 !== 0),
  builtin('isInteger', ['x: number'], ([value]) => Number.isInteger(value)),
  builtin('isDecimal', ['x: number'], ([value]) => !Number.isInteger(value)),
];

/** A function of one or two numbers. */
function calculation(
  name: string,
  [first, second]: readonly string[],
  compute: (x: number, y: number) => number,
): Builtin {
  if (second === undefined) {
    return builtin(name, [`${first}: number`], ([value], evaluation) => finite(compute(value, 0), evaluation));
  }
  return builtin(name, [`${first}: number`, `${second}: number`], ([one, other], evaluation) =>
    finite(compute(one, other), evaluation),
  );
}

function roundHalfAway(value: number): number {
  return value < 0 ? -Math.round(-value) : Math.round(value);
}
