import type { Node } from '../syntax/node.ts';
import { Thunk } from '../values/thunk.ts';
import type { Context, LazyCode } from './context.ts';
import { functionCode } from './function-code.ts';
import { variableSlot } from './variable-code.ts';

const nothing: ReadonlySet<number> = new Set();

/**
 * An expression in a position that is computed only when it is used. Literals, variables, functions, `self` and objects
 * with fixed names cost nothing and cannot fail, so they are made at once; for the others a late value is made.
 */
export function lazyCode(node: Node, context: Context): LazyCode {
  switch (node.kind) {
    case 'literal': {
      const { value } = node;
      return () => value;
    }
    case 'variable':
      return variableSlot(node, context) ?? late(node, context);
    case 'function':
      return functionCode(node, context);
    case 'self':
    case 'dollar':
      return context.code(node);
    case 'object':
      return node.fields.every(({ name }) => name.kind === 'literal') ? context.code(node) : late(node, context);
    case 'array':
      return context.unset.size === 0 && node.elements.length <= 16 ? context.code(node) : late(node, context);
    default:
      return late(node, context);
  }
}

/** Once a late value is computed, all slots around it are set. */
function late(node: Node, context: Context): LazyCode {
  const code = context.with({ unset: nothing }).code(node);
  return (frame) => new Thunk(code, frame);
}
