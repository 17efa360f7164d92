import type { Evaluation } from '../evaluation.ts';
import { finite } from '../operators/add.ts';
import { chargeDigits, numberText } from '../values/number-text.ts';
import type { FormatCode } from './format-syntax.ts';

/** A code whose width and precision are known. */
export interface SizedCode extends FormatCode {
  readonly width: number;
  readonly precision: number | undefined;
}

interface Digits {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly leastLength: number;
  readonly leastDigits: number;
}

/*
 * The published description gives the arithmetic, on numbers of 64 bits, and its results are what people compare with:
 * `%e` of 1000 is 10.000000e+02, and digits beyond the sixteenth are what repeated division leaves. The functions here
 * compute the same, step by step.
 */

/** `d` and `o`: towards zero. */
export function formatInteger(value: number, code: SizedCode, evaluation: Evaluation): string {
  const octal = code.conversion === 'o';
  const magnitude = Math.floor(Math.abs(value));
  const prefix = octal && code.alternative && magnitude > 0 ? '0' : '';
  const digits = prefix + (octal ? binaryDigits(magnitude, 8, evaluation) : decimalDigits(magnitude, evaluation));
  const leastLength = code.zero ? code.width : 0;
  return signed({ isNegative: value <= -1, digits, leastLength, leastDigits: code.precision ?? 0 }, code, evaluation);
}

/** `x`: towards minus infinity. */
export function formatHexadecimal(value: number, code: SizedCode, evaluation: Evaluation): string {
  const whole = Math.floor(value);
  const prefix = code.alternative ? '0x' : '';
  const room = (code.zero ? code.width : 0) - prefix.length - (isSigned(whole < 0, code) ? 1 : 0);
  const digits =
    prefix + padded(binaryDigits(Math.abs(whole), 16, evaluation), Math.max(room, code.precision ?? 0), evaluation);
  const text = code.capitals ? digits.toUpperCase() : digits;
  return signed({ isNegative: whole < 0, digits: text, leastLength: 0, leastDigits: 0 }, code, evaluation);
}

/** `f` */
export function formatDecimal(value: number, code: SizedCode, evaluation: Evaluation): string {
  const layout = { leastLength: code.zero ? code.width : 0, precision: code.precision ?? 6, trailing: true };
  return decimal(value, { ...layout, code }, evaluation);
}

/** `e` */
export function formatScientific(value: number, code: SizedCode, evaluation: Evaluation): string {
  return scientific(value, { precision: code.precision ?? 6, trailing: true, code }, evaluation);
}

/** `g`: like `e` for small and large exponents, otherwise like `f`, with the precision counting all digits. */
export function formatGeneral(value: number, code: SizedCode, evaluation: Evaluation): string {
  const exponent = exponentOf(value);
  const precision = code.precision ?? 6;
  const trailing = code.alternative;
  if (exponent < -4 || exponent >= precision) {
    return scientific(value, { precision: precision - 1, trailing, code }, evaluation);
  }
  const leastLength = code.zero ? code.width : 0;
  return decimal(value, { leastLength, precision: precision - Math.max(1, exponent + 1), trailing, code }, evaluation);
}

interface DecimalLayout {
  readonly leastLength: number;
  readonly precision: number;
  /** Whether zeros at the end of the fraction stay. */
  readonly trailing: boolean;
  readonly code: SizedCode;
}

function decimal(value: number, layout: DecimalLayout, evaluation: Evaluation): string {
  const { leastLength, precision, trailing, code } = layout;
  const denominator = finite(powerOfTen(precision), evaluation);
  const numerator = finite(Math.abs(value) * denominator + 0.5, evaluation);
  const whole = value === 0 ? 0 : Math.floor(finite(numerator / denominator, evaluation));
  const fraction = Math.floor(numerator) % denominator;
  const pointLength = precision === 0 && !code.alternative ? 0 : 1;
  const text = signed(
    {
      isNegative: value < 0,
      digits: decimalDigits(whole, evaluation),
      leastLength: leastLength - precision - pointLength,
      leastDigits: 0,
    },
    code,
    evaluation,
  );
  if (precision === 0) return code.alternative ? `${text}.` : text;
  if (!trailing && fraction <= 0) return text;
  const digits = padded(decimalDigits(fraction, evaluation), precision, evaluation);
  return `${text}.${trailing ? digits : withoutZeros(digits)}`;
}

function scientific(value: number, layout: Omit<DecimalLayout, 'leastLength'>, evaluation: Evaluation): string {
  const { code } = layout;
  const exponent = exponentOf(value);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const suffix = (code.capitals ? 'E' : 'e') + (exponent < 0 ? '-' : '+') + digits;
  // 10 ** -324 is 0.
  const mantissa = exponent === -324 ? (value * 10) / powerOfTen(-323) : value / powerOfTen(exponent);
  const leastLength = (code.zero ? code.width : 0) - suffix.length;
  return decimal(mantissa, { ...layout, leastLength }, evaluation) + suffix;
}

function exponentOf(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log(Math.abs(value)) / Math.LN10);
}

const powers = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

function powerOfTen(exponent: number): number {
  return powers[exponent] ?? (Number.isInteger(exponent) ? Number(`1e${exponent}`) : 10 ** exponent);
}

/** The digits of a number that is not negative; below 2 ** 53 they are exact. */
function decimalDigits(value: number, evaluation: Evaluation): string {
  if (Number.isSafeInteger(value)) return value.toString();
  evaluation.steps(2 * Math.ceil(Math.log10(value)));
  let digits = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 10)) digits = numberText(rest % 10) + digits;
  return digits;
}

/** The digits of a whole number in a base that is a power of two, all of them exact. */
function binaryDigits(value: number, base: 8 | 16, evaluation: Evaluation): string {
  const digits = Number.isSafeInteger(value) ? value.toString(base) : BigInt(value).toString(base);
  chargeDigits(digits, evaluation);
  return digits;
}

function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function isSigned(isNegative: boolean, code: SizedCode): boolean {
  return isNegative || code.plus || code.blank;
}

/** The digits with their sign and so many zeros before them that the text has the least length. */
function signed(
  { isNegative, digits, leastLength, leastDigits }: Digits,
  code: SizedCode,
  evaluation: Evaluation,
): string {
  const room = isSigned(isNegative, code) ? leastLength - 1 : leastLength;
  const text = padded(digits, Math.max(room, leastDigits), evaluation);
  if (isNegative) return `-${text}`;
  if (code.plus) return `+${text}`;
  return code.blank ? ` ${text}` : text;
}

function padded(digits: string, length: number, evaluation: Evaluation): string {
  if (length <= digits.length) return digits;
  evaluation.text(length);
  return digits.padStart(Math.ceil(length), '0');
}
