import type { Evaluation } from '../evaluation.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import type { CallNode } from '../syntax/node.ts';
import type { Code, Frame } from '../values/frame.ts';
import { FunctionValue, type NamedSlots } from '../values/function-value.ts';
import { typeName, type Slot, type Value } from '../values/value.ts';
import { builtinCall } from './builtin-call.ts';
import { Closure } from './closure.ts';
import type { Context, LazyCode } from './context.ts';
import { locate } from './locate.ts';
import { tailCall } from './tail-call.ts';

/** A call. `std.name(…)` and natives are called directly; `tailstrict` computes the arguments first. */
export function callCode(node: CallNode, context: Context): Code {
  const builtin = context.builtin(node.target);
  const direct = builtin && builtinCall(builtin, node, context);
  if (direct !== undefined) return direct;
  const target = calleeCode(node, context);
  const argument = (value: CallNode['target']): LazyCode =>
    node.tailstrict ? context.code(value) : context.lazy(value);
  const positional = node.positional.map(argument);
  const named = node.named.map(({ name, value }) => ({ name, make: argument(value) }));
  if (node.tailstrict && context.isTail) {
    context.frame.hasTailCalls = true;
    return tailCode({ node, target, positional, named });
  }
  if (named.length > 0) return namedCode({ node, target, positional, named });
  return positionalCode({ node, target, positional, named });
}

interface Call {
  readonly node: CallNode;
  readonly target: (frame: Frame, evaluation: Evaluation) => FunctionValue;
  readonly positional: readonly LazyCode[];
  readonly named: readonly { readonly name: string; readonly make: LazyCode }[];
}

function calleeCode(node: CallNode, context: Context): Call['target'] {
  const target = context.code(node.target);
  const { place } = node;
  return (frame, evaluation) => {
    const callee = target(frame, evaluation);
    return callee instanceof FunctionValue ? callee : refuse(callee, place);
  };
}

function refuse(value: Value, place: CallNode['place']): never {
  throw new JsonnetError('runtime', `Unexpected type ${typeName(value)}, expected function`, { place });
}

/** The arguments go straight into the frame of the call when their number is that of the parameters. */
function positionalCode(call: Call): Code {
  const [first, second] = call.positional;
  if (first !== undefined && call.positional.length === 1) return oneArgument(call, first);
  if (first !== undefined && second !== undefined && call.positional.length === 2)
    return twoArguments(call, first, second);
  const { node, target, positional } = call;
  const { place } = node;
  return (frame, evaluation) => {
    const callee = target(frame, evaluation);
    return applied(callee, { args: makeAll(positional, frame, evaluation), named: [], place }, evaluation);
  };
}

function oneArgument({ node, target }: Call, argument: LazyCode): Code {
  const { place } = node;
  return (frame, evaluation) => {
    const callee = target(frame, evaluation);
    const slot = argument(frame, evaluation);
    if (callee instanceof Closure && callee.template.parameters.length === 1) return callee.apply1(slot, evaluation);
    return applied(callee, { args: [slot], named: [], place }, evaluation);
  };
}

function twoArguments({ node, target }: Call, first: LazyCode, second: LazyCode): Code {
  const { place } = node;
  return (frame, evaluation) => {
    const callee = target(frame, evaluation);
    const one = first(frame, evaluation);
    const other = second(frame, evaluation);
    if (callee instanceof Closure && callee.template.parameters.length === 2) {
      return callee.apply2(one, other, evaluation);
    }
    return applied(callee, { args: [one, other], named: [], place }, evaluation);
  };
}

function namedCode({ node, target, positional, named }: Call): Code {
  const { place } = node;
  return (frame, evaluation) => {
    const callee = target(frame, evaluation);
    const args = makeAll(positional, frame, evaluation);
    return applied(callee, { args, named: makeNamed(named, frame, evaluation), place }, evaluation);
  };
}

/** Leaves the call to the function around it, which has nothing else to do any more. */
function tailCode({ node, target, positional, named }: Call): Code {
  const { place } = node;
  return (frame, evaluation) => {
    const callee = target(frame, evaluation);
    const args = makeAll(positional, frame, evaluation);
    const byName = makeNamed(named, frame, evaluation);
    if (!(callee instanceof Closure)) return applied(callee, { args, named: byName, place }, evaluation);
    try {
      evaluation.tail = { body: callee.template.body, frame: callee.bind(args, byName, evaluation) };
      return tailCall;
    } catch (error) {
      throw locate(error, place);
    }
  };
}

function applied(
  callee: FunctionValue,
  { args, named, place }: { args: readonly Slot[]; named: NamedSlots; place: CallNode['place'] },
  evaluation: Evaluation,
): Value {
  try {
    return named.length === 0 ? callee.apply(args, evaluation) : callee.applyNamed(args, named, evaluation);
  } catch (error) {
    throw locate(error, place);
  }
}

function makeAll(args: readonly LazyCode[], frame: Frame, evaluation: Evaluation): Slot[] {
  const slots: Slot[] = [];
  for (const make of args) slots.push(make(frame, evaluation));
  return slots;
}

function makeNamed(named: Call['named'], frame: Frame, evaluation: Evaluation): NamedSlots {
  return named.map(({ name, make }) => [name, make(frame, evaluation)] as const);
}
