import type { Binding, LocalNode } from '../syntax/node.ts';
import type { Code, Frame } from '../values/frame.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Context } from './context.ts';

/** Sets the slots of a group of locals, which may use each other in any order. */
export type SetLocals = (frame: Frame, evaluation: Evaluation) => void;

/** Declares the names of a group of locals in the current frame. */
export function declareLocals(
  bindings: readonly Binding[],
  context: Context,
): { readonly context: Context; readonly set: (inside: Context) => SetLocals } {
  const { context: inside, slots } = context.declare(bindings.map(({ name }) => name));
  const set = (within: Context): SetLocals => {
    const unset = within.with({ unset: new Set([...within.unset, ...slots]) });
    const made = bindings.map(({ value }) => unset.lazy(value));
    return (frame, evaluation) => {
      // Late values are kept.
      evaluation.steps(made.length);
      for (let index = 0; index < made.length; index++) {
        const slot = slots[index];
        if (slot !== undefined) frame[slot] = made[index]?.(frame, evaluation) ?? null;
      }
    };
  };
  return { context: inside, set };
}

/** `local a = …, b = …; body`. */
export function localCode(node: LocalNode, context: Context): Code {
  const { context: inside, set } = declareLocals(node.bindings, context);
  const setLocals = set(inside);
  const body = inside.tailCode(node.body);
  return (frame, evaluation) => {
    setLocals(frame, evaluation);
    return body(frame, evaluation);
  };
}
