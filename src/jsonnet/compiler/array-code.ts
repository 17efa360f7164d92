import type { ArrayNode } from '../syntax/node.ts';
import type { Code } from '../values/frame.ts';
import type { Slot } from '../values/value.ts';
import type { Context } from './context.ts';

/** An array literal: its elements are late. */
export function arrayCode(node: ArrayNode, context: Context): Code {
  const elements = node.elements.map((element) => context.lazy(element));
  const [first] = elements;
  if (first === undefined) return () => [];
  if (elements.length === 1) return (frame, evaluation) => [first(frame, evaluation)];
  return (frame, evaluation) => {
    const slots: Slot[] = [];
    for (const element of elements) slots.push(element(frame, evaluation));
    return slots;
  };
}
