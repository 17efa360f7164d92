import type { Evaluation } from '../evaluation.ts';
import { typeName, type Value } from '../values/value.ts';
import { finite } from './add.ts';
import { bitwise, type BitwiseOperator } from './bitwise.ts';

export type ArithmeticOperator = '*' | '/' | '-' | BitwiseOperator;

/** The operators that take two numbers and give one, but for `+` and `%`. */
export function arithmetic(
  operator: ArithmeticOperator,
  [left, right]: readonly [Value, Value],
  evaluation: Evaluation,
): number {
  const a = numberOf(left, evaluation);
  const b = numberOf(right, evaluation);
  switch (operator) {
    case '*':
      return finite(a * b, evaluation);
    case '-':
      return finite(a - b, evaluation);
    case '/':
      if (b === 0) throw evaluation.error('Division by zero.');
      return finite(a / b, evaluation);
    default:
      return bitwise(operator, [a, b], evaluation);
  }
}

/** The remainder of two numbers, with the sign of the first. */
export function modulo(left: Value, right: Value, evaluation: Evaluation): number {
  if (typeof left !== 'number' || typeof right !== 'number') {
    throw evaluation.error(`Operator % cannot be used on types ${typeName(left)} and ${typeName(right)}.`);
  }
  if (right === 0) throw evaluation.error('Division by zero.');
  return finite(left % right, evaluation);
}

export function numberOf(value: Value, evaluation: Evaluation): number {
  if (typeof value === 'number') return value;
  throw evaluation.error(`Unexpected type ${typeName(value)}, expected number`);
}
