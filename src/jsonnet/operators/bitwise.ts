import type { Evaluation } from '../evaluation.ts';
import { finite } from './add.ts';

export type BitwiseOperator = '<<' | '>>' | '&' | '^' | '|';

/** Bit operations on 64-bit integers; operands are cut to whole numbers and must be within the safe range. */
export function bitwise(
  operator: BitwiseOperator,
  [left, right]: readonly [number, number],
  evaluation: Evaluation,
): number {
  requireSafe(left, evaluation);
  requireSafe(right, evaluation);
  const [a, b] = [BigInt(Math.trunc(left)), BigInt(Math.trunc(right))];
  if ((operator === '<<' || operator === '>>') && b < 0n) throw evaluation.error('Shift by negative exponent.');
  return finite(Number(BigInt.asIntN(64, compute(operator, a, b))), evaluation);
}

/** `~value`. */
export function complement(value: number, evaluation: Evaluation): number {
  requireSafe(value, evaluation);
  return Number(~BigInt(Math.trunc(value)));
}

function compute(operator: BitwiseOperator, a: bigint, b: bigint): bigint {
  switch (operator) {
    case '<<':
      return a << (b % 64n);
    case '>>':
      return a >> (b % 64n);
    case '&':
      return a & b;
    case '^':
      return a ^ b;
    case '|':
      return a | b;
    default:
      return operator satisfies never;
  }
}

function requireSafe(value: number, evaluation: Evaluation): void {
  const limit = Number.MAX_SAFE_INTEGER;
  if (value >= -limit && value <= limit) return;
  throw evaluation.error(`Bitwise operator argument ${value} outside of range [-${limit}, ${limit}]`);
}
