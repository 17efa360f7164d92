import type { ArrayNode } from '../syntax/node.ts';
import type { Code } from '../values/frame.ts';
import type { Context } from './context.ts';

/** An array literal: its elements are late. Lists are made in their size, for one that grows has room that is lost. */
export function arrayCode(node: ArrayNode, context: Context): Code {
  const elements = node.elements.map((element) => context.lazy(element));
  const [first, second] = elements;
  if (first === undefined) return () => [];
  const memory = 2 * elements.length;
  if (second === undefined) {
    return (frame, evaluation) => {
      evaluation.steps(memory);
      return [first(frame, evaluation)];
    };
  }
  if (elements.length === 2) {
    return (frame, evaluation) => {
      evaluation.steps(memory);
      return [first(frame, evaluation), second(frame, evaluation)];
    };
  }
  return (frame, evaluation) => {
    evaluation.steps(memory);
    return elements.map((element) => element(frame, evaluation));
  };
}
