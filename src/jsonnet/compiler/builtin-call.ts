import type { Evaluation } from '../evaluation.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import type { Place } from '../place.ts';
import type { Builtin, BuiltinArguments } from '../std/builtin.ts';
import type { CallNode, Node } from '../syntax/node.ts';
import { orderArguments } from '../values/bind-arguments.ts';
import type { Code } from '../values/frame.ts';
import type { Slot, Value } from '../values/value.ts';
import type { Context, LazyCode } from './context.ts';
import { locate } from './locate.ts';

/**
 * A call whose function is known when the template is compiled: its arguments are put in the order of the parameters
 * here, and computed at once unless they are lazy. `undefined` when the arguments do not fit one of `std`: the call then
 * fails in the ordinary way, when it is made. What a function of the host can never take is a static error.
 */
export function builtinCall(builtin: Builtin, node: CallNode, context: Context): Code | undefined {
  const { positional } = node;
  const named = node.named.map(({ name, value }) => [name, value] as const);
  const fitted = orderArguments<Node>(builtin.parameters, { positional, named });
  if (fitted.kind === 'misfit') {
    if (builtin.refusal === undefined) return undefined;
    throw new JsonnetError('static', `${builtin.name}: ${fitted.message}`, { place: node.place });
  }
  const { ordered } = fitted;
  const constants = ordered.map((argument) => (argument?.kind === 'literal' ? argument.value : undefined));
  const refused = builtin.refusal?.(constants);
  if (refused !== undefined) throw new JsonnetError('static', refused, { place: node.place });
  const complete = ordered.every((argument) => argument === undefined || argument.kind === 'literal');
  const run = guarded(builtin.specialize?.(constants, complete) ?? builtin.invoke, node.place);
  if (complete) return (_frame, evaluation) => run(constants, evaluation);
  const args = ordered.map((argument, index): LazyCode | undefined => {
    if (argument === undefined) return undefined;
    const isLazy = builtin.parameters[index]?.lazy === true && !node.tailstrict;
    return isLazy ? context.lazy(argument) : context.code(argument);
  });
  const [first, second, third] = args;
  if (args.length === 1 && first !== undefined) {
    return (frame, evaluation) => run([first(frame, evaluation)], evaluation);
  }
  if (args.length === 2 && first !== undefined && second !== undefined) {
    return (frame, evaluation) => run([first(frame, evaluation), second(frame, evaluation)], evaluation);
  }
  if (args.length === 3 && first !== undefined && second !== undefined && third !== undefined) {
    return (frame, evaluation) =>
      run([first(frame, evaluation), second(frame, evaluation), third(frame, evaluation)], evaluation);
  }
  return (frame, evaluation) => {
    const slots: (Slot | undefined)[] = [];
    for (const make of args) slots.push(make?.(frame, evaluation));
    return run(slots, evaluation);
  };
}

function guarded(invoke: Builtin['invoke'], place: Place): Builtin['invoke'] {
  return (args: BuiltinArguments, evaluation: Evaluation): Value => {
    // What `std` does is no frame of its own: what it calls or computes is.
    evaluation.steps(1);
    try {
      return invoke(args, evaluation);
    } catch (error) {
      throw locate(error, place);
    }
  };
}
