import type { FunctionNode } from '../syntax/node.ts';
import { Closure, type FunctionTemplate } from './closure.ts';
import type { Context } from './context.ts';
import type { Frame } from '../values/frame.ts';
import { trampoline } from './tail-call.ts';

/** A function expression: makes a closure, which costs nothing to make, so it is never late. */
export function functionCode(node: FunctionNode, context: Context): (frame: Frame) => Closure {
  const template = functionTemplate(node, context);
  return (frame) => new Closure(template, frame);
}

function functionTemplate(node: FunctionNode, context: Context): FunctionTemplate {
  const { context: inside, slots } = context.inside().declare(node.parameters.map(({ name }) => name));
  const layout = inside.frame;
  const parameters = node.parameters.map(({ name, fallback }) => ({ name, optional: fallback !== undefined }));
  const withDefaults = inside.with({ unset: new Set(slots) });
  const fallbacks = node.parameters.map(({ fallback }) => fallback && withDefaults.lazy(fallback));
  const body = inside.with({ isTail: true }).tailCode(node.body);
  return { parameters, fallbacks, layout, body, run: layout.hasTailCalls ? trampoline(body) : body };
}
