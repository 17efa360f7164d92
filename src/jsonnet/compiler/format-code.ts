import type { BinaryNode } from '../syntax/node.ts';
import { modulo } from '../operators/arithmetic.ts';
import type { Code } from '../values/frame.ts';
import type { Context } from './context.ts';
import { locate } from './locate.ts';

/** `text % values` formats, `number % number` is the remainder. A format that is a literal is read once. */
export function formatCode(node: BinaryNode, [left, right]: readonly [Code, Code], context: Context): Code | undefined {
  const format = context.program.builtins.get('format');
  if (format === undefined) return undefined;
  const constant = node.left.kind === 'literal' && typeof node.left.value === 'string' ? node.left.value : undefined;
  const invoke = (constant !== undefined && format.specialize?.([constant, undefined], false)) || format.invoke;
  const { place } = node;
  return (frame, evaluation) => {
    const first = left(frame, evaluation);
    const second = right(frame, evaluation);
    try {
      if (typeof first !== 'string') return modulo(first, second, evaluation);
      return invoke([first, second], evaluation);
    } catch (error) {
      throw locate(error, place);
    }
  };
}
