import { smallFrame, type Code } from '../values/frame.ts';
import type { Value } from '../values/value.ts';

/**
 * Stands for the value of a call that is still to be made: a `tailstrict` call at the end of a function leaves its body
 * and frame in `evaluation.tail`, so that a loop written as recursion needs no stack. No expression has this value.
 */
export const tailCall: Value = [];

/** Runs a body and all calls that were left to it. */
export function trampoline(body: Code): Code {
  return (frame, evaluation) => {
    let value = body(frame, evaluation);
    while (value === tailCall) {
      const call = evaluation.tail;
      if (call === undefined) return value;
      evaluation.tail = undefined;
      evaluation.steps(call.frame.length > smallFrame ? call.frame.length : 1);
      value = call.body(call.frame, evaluation);
    }
    return value;
  };
}
