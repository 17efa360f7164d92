import { slice } from '../operators/slice.ts';
import { indexValue } from '../operators/index-value.ts';
import type { IndexNode, SliceNode } from '../syntax/node.ts';
import type { Code } from '../values/frame.ts';
import { isPlain } from '../values/value.ts';
import type { Context } from './context.ts';
import { locate } from './locate.ts';

/** `target.name` and `target[index]`. */
export function indexCode(node: IndexNode, context: Context): Code {
  const target = context.code(node.target);
  const index = context.code(node.index);
  const { place } = node;
  if (node.index.kind === 'literal' && typeof node.index.value === 'string') {
    return fieldCode(target, node.index.value, node);
  }
  return (frame, evaluation) => {
    const value = target(frame, evaluation);
    const at = index(frame, evaluation);
    try {
      return indexValue(value, at, evaluation);
    } catch (error) {
      throw locate(error, place);
    }
  };
}

function fieldCode(target: Code, name: string, { place }: IndexNode): Code {
  // Only names of the prototype could be found where there is no such field.
  const isOwnWhenFound = !(name in Object.prototype);
  return (frame, evaluation) => {
    const value = target(frame, evaluation);
    const found = isOwnWhenFound && isPlain(value) ? value[name] : undefined;
    if (found !== undefined) return found;
    try {
      return indexValue(value, name, evaluation);
    } catch (error) {
      throw locate(error, place);
    }
  };
}

/** `target[from:to:step]`. */
export function sliceCode(node: SliceNode, context: Context): Code {
  const target = context.code(node.target);
  const [from, to, step] = [node.from, node.to, node.step].map((part) => part && context.code(part));
  const { place } = node;
  return (frame, evaluation) => {
    const value = target(frame, evaluation);
    const bounds = {
      from: from?.(frame, evaluation) ?? null,
      to: to?.(frame, evaluation) ?? null,
      step: step?.(frame, evaluation) ?? null,
    };
    try {
      return slice(value, bounds, evaluation);
    } catch (error) {
      throw locate(error, place);
    }
  };
}
