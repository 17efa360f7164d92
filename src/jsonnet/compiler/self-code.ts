import type { Evaluation } from '../evaluation.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import type { Place } from '../place.ts';
import type { DollarNode, InSuperNode, SelfNode, SuperIndexNode } from '../syntax/node.ts';
import type { Code, Frame } from '../values/frame.ts';
import type { JsonnetObject } from '../values/jsonnet-object.ts';
import { typeName, type Value } from '../values/value.ts';
import type { Context, ObjectScope } from './context.ts';
import { outer } from './variable-code.ts';

/** `self` and `$`: the object in slot 1 of the frame of its literal. */
export function selfCode(node: SelfNode | DollarNode, context: Context): Code {
  const find = scopeFinder(node.kind === 'self' ? context.selfScope(node) : context.dollarScope(node), context);
  return (frame) => objectIn(find(frame));
}

/** `super.name` and `super[index]`: the field as the layers below give it, with the whole object as `self`. */
export function superCode(node: SuperIndexNode, context: Context): Code {
  const find = scopeFinder(context.selfScope(node), context);
  const index = nameCode(node, context);
  const { place } = node;
  return (frame, evaluation) => {
    const scope = find(frame);
    const name = index(frame, evaluation);
    const depth = depthIn(scope);
    if (depth === 0) throw refusal('Attempt to use super when there is no super class.', place);
    const value = objectIn(scope).getBelow(name, depth, evaluation);
    if (value === undefined) throw refusal(`Field does not exist: ${name}`, place);
    return value;
  };
}

/** `name in super`. */
export function inSuperCode(node: InSuperNode, context: Context): Code {
  const find = scopeFinder(context.selfScope(node), context);
  const index = nameCode(node, context);
  return (frame, evaluation) => {
    const scope = find(frame);
    return objectIn(scope).hasBelow(index(frame, evaluation), depthIn(scope), evaluation);
  };
}

function nameCode(
  node: SuperIndexNode | InSuperNode,
  context: Context,
): (frame: Frame, evaluation: Evaluation) => string {
  const code = context.code(node.index);
  const { place } = node.index;
  return (frame, evaluation) => {
    const value = code(frame, evaluation);
    if (typeof value === 'string') return value;
    throw refusal(`Unexpected type ${typeName(value)}, expected string`, place);
  };
}

function refusal(message: string, place: Place): JsonnetError {
  return new JsonnetError('runtime', message, { place });
}

function scopeFinder(scope: ObjectScope, context: Context): (frame: Frame) => Frame {
  return outer(context.frame.distanceTo(scope.frame));
}

/** `bindScope` puts the object into slot 1 and the depth into slot 2. */
function objectIn(scope: Frame): JsonnetObject {
  const value = scope[1] as Value;
  return value as JsonnetObject;
}

function depthIn(scope: Frame): number {
  return scope[2] as number;
}
