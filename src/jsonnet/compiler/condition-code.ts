import type { Evaluation } from '../evaluation.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import type { Place } from '../place.ts';
import type { IfNode, Node } from '../syntax/node.ts';
import type { Code, Frame } from '../values/frame.ts';
import { typeName, type Value } from '../values/value.ts';
import type { Context } from './context.ts';

/** An expression that has to be a boolean. */
export function conditionCode(node: Node, context: Context): (frame: Frame, evaluation: Evaluation) => boolean {
  const code = context.code(node);
  const { place } = node;
  return (frame, evaluation) => {
    const value = code(frame, evaluation);
    return typeof value === 'boolean' ? value : refuse(value, place);
  };
}

function refuse(value: Value, place: Place): never {
  throw new JsonnetError('runtime', `Unexpected type ${typeName(value)}, expected boolean`, { place });
}

/** `if condition then a else b`; without `else` it is `null`. */
export function ifCode(node: IfNode, context: Context): Code {
  const condition = conditionCode(node.condition, context);
  const whenTrue = context.tailCode(node.whenTrue);
  if (node.whenFalse === undefined) {
    return (frame, evaluation) => (condition(frame, evaluation) ? whenTrue(frame, evaluation) : null);
  }
  const whenFalse = context.tailCode(node.whenFalse);
  return (frame, evaluation) =>
    condition(frame, evaluation) ? whenTrue(frame, evaluation) : whenFalse(frame, evaluation);
}

/** `a && b` and `a || b`: the right side is computed only when it decides. */
export function shortcutCode(
  left: Node,
  right: Node,
  { context, stopAt }: { context: Context; stopAt: boolean },
): Code {
  const first = conditionCode(left, context);
  const second = conditionCode(right, context);
  return (frame, evaluation) => (first(frame, evaluation) === stopAt ? stopAt : second(frame, evaluation));
}
