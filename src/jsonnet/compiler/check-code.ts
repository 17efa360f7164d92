import { JsonnetError } from '../jsonnet-error.ts';
import type { AssertNode, Check } from '../syntax/node.ts';
import type { Code } from '../values/frame.ts';
import { conditionCode } from './condition-code.ts';
import type { Context } from './context.ts';

/** The check of an assert: throws when the condition does not hold. */
export function checkCode(check: Check, context: Context, fallback: string): Code {
  const holds = conditionCode(check.condition, context);
  const message = check.message && context.code(check.message);
  const { place } = check;
  return (frame, evaluation) => {
    if (holds(frame, evaluation)) return null;
    const text = message === undefined ? fallback : evaluation.toText(message(frame, evaluation));
    throw new JsonnetError('runtime', text, { place });
  };
}

/** `assert condition : message; rest`. */
export function assertCode(node: AssertNode, context: Context): Code {
  const check = checkCode(node.check, context, 'Assertion failed');
  const rest = context.tailCode(node.rest);
  return (frame, evaluation) => {
    check(frame, evaluation);
    return rest(frame, evaluation);
  };
}
