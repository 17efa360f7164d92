import type { Evaluation } from '../evaluation.ts';
import { add } from '../operators/add.ts';
import { arithmetic, modulo, numberOf } from '../operators/arithmetic.ts';
import { complement } from '../operators/bitwise.ts';
import { compare } from '../operators/compare.ts';
import { equals } from '../operators/equals.ts';
import type { Place } from '../place.ts';
import type { BinaryNode, BinaryOperator, UnaryNode } from '../syntax/node.ts';
import type { Code } from '../values/frame.ts';
import { chargedNumber } from '../values/number-text.ts';
import { hasField } from '../values/object-fields.ts';
import { isObject, typeName, type Value } from '../values/value.ts';
import { shortcutCode } from './condition-code.ts';
import type { Context } from './context.ts';
import { formatCode } from './format-code.ts';
import { locate } from './locate.ts';

type Operate = (left: Value, right: Value, evaluation: Evaluation) => Value;

/** A binary operator; both sides are computed, the left one first, but for `&&` and `||`. */
export function binaryCode(node: BinaryNode, context: Context): Code {
  const { operator, left, right, place } = node;
  if (operator === '&&') return shortcutCode(left, right, { context, stopAt: false });
  if (operator === '||') return shortcutCode(left, right, { context, stopAt: true });
  const sides = [context.code(left), context.code(right)] as const;
  if (operator === '%') return formatCode(node, sides, context) ?? slow(sides, modulo, place);
  return quick(operator, sides, place);
}

type Sides = readonly [Code, Code];

/** Numbers and strings are handled in place where that is easy, the rest goes the slow way. */
function quick(operator: Exclude<BinaryOperator, '&&' | '||' | '%'>, sides: Sides, place: Place): Code {
  const [left, right] = sides;
  switch (operator) {
    case '+': {
      const other = guarded(add, place);
      return (frame, evaluation) => {
        const a = left(frame, evaluation);
        const b = right(frame, evaluation);
        if (typeof a === 'string' && a.length < 1024) {
          if (typeof b === 'string' && b.length < 1024) return a + b;
          if (typeof b === 'number') return a + chargedNumber(b, evaluation);
        }
        return other(a, b, evaluation);
      };
    }
    case '-':
    case '*':
    case '/':
    case '<<':
    case '>>':
    case '&':
    case '^':
    case '|':
      return slow(sides, (a, b, evaluation) => arithmetic(operator, [a, b], evaluation), place);
    case '==':
    case '!=':
      return equalsCode(sides, operator === '==', place);
    case 'in':
      return slow(sides, isIn, place);
    case '<':
      return slow(sides, (a, b, evaluation) => compare(a, b, evaluation) < 0, place);
    case '>':
      return slow(sides, (a, b, evaluation) => compare(a, b, evaluation) > 0, place);
    case '<=':
      return slow(sides, (a, b, evaluation) => compare(a, b, evaluation) <= 0, place);
    case '>=':
      return slow(sides, (a, b, evaluation) => compare(a, b, evaluation) >= 0, place);
    default:
      return operator satisfies never;
  }
}

function equalsCode([left, right]: Sides, whenEqual: boolean, place: Place): Code {
  const compareOthers = guarded((a, b, evaluation) => equals(a, b, evaluation) === whenEqual, place);
  return (frame, evaluation) => {
    const a = left(frame, evaluation);
    const b = right(frame, evaluation);
    if (typeof a === 'number' || typeof b === 'number') return (a === b) === whenEqual;
    return compareOthers(a, b, evaluation);
  };
}

function isIn(name: Value, object: Value, evaluation: Evaluation): boolean {
  if (!isObject(object)) throw evaluation.error(`Unexpected type ${typeName(object)}, expected object`);
  if (typeof name !== 'string') throw evaluation.error(`Unexpected type ${typeName(name)}, expected string`);
  return hasField(object, name, evaluation);
}

function slow([left, right]: Sides, operate: Operate, place: Place): Code {
  const run = guarded(operate, place);
  return (frame, evaluation) => run(left(frame, evaluation), right(frame, evaluation), evaluation);
}

/** Errors of the operation itself get the place of the whole expression. */
function guarded(operate: Operate, place: Place): Operate {
  return (left, right, evaluation) => {
    try {
      return operate(left, right, evaluation);
    } catch (error) {
      throw locate(error, place);
    }
  };
}

/** `-a`, `+a`, `!a`, `~a`. */
export function unaryCode(node: UnaryNode, context: Context): Code {
  const operand = context.code(node.operand);
  const { operator, place } = node;
  return (frame, evaluation) => {
    const value = operand(frame, evaluation);
    try {
      return unary(operator, value, evaluation);
    } catch (error) {
      throw locate(error, place);
    }
  };
}

function unary(operator: UnaryNode['operator'], value: Value, evaluation: Evaluation): Value {
  switch (operator) {
    case '!':
      if (typeof value === 'boolean') return !value;
      throw evaluation.error(`Unexpected type ${typeName(value)}, expected boolean`);
    case '-':
      return -numberOf(value, evaluation);
    case '+':
      return numberOf(value, evaluation);
    case '~':
      return complement(numberOf(value, evaluation), evaluation);
    default:
      return operator satisfies never;
  }
}
