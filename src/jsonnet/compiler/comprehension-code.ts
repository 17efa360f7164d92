import type { Evaluation } from '../evaluation.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import type { ArrayComprehensionNode, Clause, ObjectComprehensionNode } from '../syntax/node.ts';
import type { Code, Frame } from '../values/frame.ts';
import { makeFrame } from '../values/frame.ts';
import { JsonnetObject } from '../values/jsonnet-object.ts';
import type { Field } from '../values/layer.ts';
import { isArray, typeName, type ArrayValue, type Slot, type Value } from '../values/value.ts';
import { conditionCode } from './condition-code.ts';
import type { Context } from './context.ts';
import { bindScope, LiteralLayer, type Shape } from './literal-layer.ts';
import { declareLocals } from './local-code.ts';
import { fieldName, refuseDuplicate, reserveSelf } from './object-code.ts';

/** Calls `each` with the frame of every step that passes the conditions. */
type Steps = (frame: Frame, evaluation: Evaluation, each: (step: Frame) => void) => void;

/** `[body for x in items if condition …]`. */
export function arrayComprehensionCode(node: ArrayComprehensionNode, context: Context): Code {
  const { steps, inside } = clausesCode(node.clauses, context);
  const body = inside.lazy(node.body);
  return (frame, evaluation) => {
    const slots: Slot[] = [];
    const limit = evaluation.limits.arrayLength;
    steps(frame, evaluation, (step) => {
      if (slots.length >= limit) evaluation.array(limit + 1);
      slots.push(body(step, evaluation));
    });
    return slots;
  };
}

interface CompiledClauses {
  readonly steps: Steps;
  /** Where the body is computed: within the frame of a step. */
  readonly inside: Context;
}

function clausesCode(clauses: readonly Clause[], context: Context): CompiledClauses {
  let inside = context.with({ isTail: false, unset: new Set() });
  const makers = clauses.map((clause): ((rest: Steps) => Steps) => {
    if (clause.kind === 'if') return filter(clause.condition, inside);
    const items = itemsCode(clause, inside);
    inside = inside.inside().declare([clause.name]).context;
    const layout = inside.frame;
    return (rest) => (frame, evaluation, each) => {
      for (const item of items(frame, evaluation)) {
        evaluation.steps(1);
        const step = makeFrame(frame, layout.size);
        step[1] = item;
        rest(step, evaluation, each);
      }
    };
  });
  const steps = makers.reduceRight<Steps>(
    (rest, make) => make(rest),
    (frame, _evaluation, each) => each(frame),
  );
  return { steps, inside };
}

function filter(condition: Extract<Clause, { kind: 'if' }>['condition'], context: Context): (rest: Steps) => Steps {
  const passes = conditionCode(condition, context);
  return (rest) => (frame, evaluation, each) => {
    if (passes(frame, evaluation)) rest(frame, evaluation, each);
  };
}

function itemsCode(
  clause: Extract<Clause, { kind: 'for' }>,
  context: Context,
): (frame: Frame, evaluation: Evaluation) => ArrayValue {
  const code = context.code(clause.items);
  const { place } = clause.items;
  return (frame, evaluation) => {
    const items: Value = code(frame, evaluation);
    if (isArray(items)) return items;
    throw new JsonnetError('runtime', `Unexpected type ${typeName(items)}, expected array`, { place });
  };
}

/** `{[name]: value for x in items …}`: `self` is the whole object; each field is computed in the frame of its step. */
export function objectComprehensionCode(node: ObjectComprehensionNode, context: Context): Code {
  const { steps, inside } = clausesCode(node.clauses, context);
  const name = inside.code(node.field.name);
  const { plus, visibility } = node.field;
  const { place } = node.field.name;
  const scoped = inside.inside();
  reserveSelf(scoped);
  const { context: within, set } = declareLocals(node.locals, scoped.inObject({ frame: scoped.frame }));
  const setLocals = set(within);
  const value = within.with({ unset: new Set() }).code(node.field.value);
  const shape: Shape = { scope: scoped.frame, setLocals, asserts: [], fields: new Map(), listing: undefined };
  const fieldOf = (step: Frame): Field => ({
    visibility,
    plus,
    read: (object, depth, evaluation) => {
      const scope = bindScope(shape, step, { object, depth });
      setLocals(scope, evaluation);
      return value(scope, evaluation);
    },
  });
  return (frame, evaluation) => {
    const fields = new Map<string, Field>();
    steps(frame, evaluation, (step) => {
      const text = fieldName(name(step, evaluation), place);
      if (text === undefined) return;
      if (fields.has(text)) throw refuseDuplicate(text, place);
      if (fields.size >= evaluation.limits.arrayLength) evaluation.array(fields.size + 1);
      fields.set(text, fieldOf(step));
    });
    return new JsonnetObject([new LiteralLayer(shape, frame, fields)]);
  };
}
