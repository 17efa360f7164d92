import type { Evaluation } from '../evaluation.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import type { ArrayComprehensionNode, Clause, ObjectComprehensionNode } from '../syntax/node.ts';
import type { Code, Frame } from '../values/frame.ts';
import { makeFrame, smallFrame } from '../values/frame.ts';
import { JsonnetObject } from '../values/jsonnet-object.ts';
import type { Field } from '../values/layer.ts';
import { isArray, typeName, type ArrayValue, type Slot, type Value } from '../values/value.ts';
import type { FrameLayout } from './frame-layout.ts';
import { conditionCode } from './condition-code.ts';
import type { Context } from './context.ts';
import { bindScope, LiteralLayer, type Shape } from './literal-layer.ts';
import { declareLocals } from './local-code.ts';
import { fieldName, refuseDuplicate, reserveSelf } from './object-code.ts';

/** Puts the frame of every step that passes the conditions into `taken`. */
type Steps = (frame: Frame, evaluation: Evaluation, taken: Frame[]) => void;

/** `[body for x in items if condition …]`. */
export function arrayComprehensionCode(node: ArrayComprehensionNode, context: Context): Code {
  const { steps, inside } = clausesCode(node.clauses, context);
  const body = inside.lazy(node.body);
  return (frame, evaluation) => {
    const taken: Frame[] = [];
    steps(frame, evaluation, taken);
    const slots: Slot[] = [];
    for (const step of taken) slots.push(body(step, evaluation));
    return slots;
  };
}

interface CompiledClauses {
  readonly steps: Steps;
  /** Where the body is computed: within the frame of a step. */
  readonly inside: Context;
}

/** A `for` with the conditions that follow it. */
interface Loop {
  readonly items: (frame: Frame, evaluation: Evaluation) => ArrayValue;
  readonly layout: FrameLayout;
  readonly conditions: ((frame: Frame, evaluation: Evaluation) => boolean)[];
}

function clausesCode(clauses: readonly Clause[], context: Context): CompiledClauses {
  let inside = context.with({ isTail: false, unset: new Set() });
  const loops: Loop[] = [];
  for (const clause of clauses) {
    if (clause.kind === 'if') {
      loops.at(-1)?.conditions.push(conditionCode(clause.condition, inside));
    } else {
      const items = itemsCode(clause, inside);
      inside = inside.inside().declare([clause.name]).context;
      loops.push({ items, layout: inside.frame, conditions: [] });
    }
  }
  const steps = loops.reduceRight<Steps | undefined>((rest, loop) => loopCode(loop, rest), undefined);
  return { steps: steps ?? ((frame, _evaluation, taken) => void taken.push(frame)), inside };
}

function loopCode({ items, layout, conditions }: Loop, rest: Steps | undefined): Steps {
  return (frame, evaluation, taken) => {
    const values = items(frame, evaluation);
    // A step keeps a frame, which may be wide.
    evaluation.late(layout.size > smallFrame ? values.length * layout.size : values.length);
    for (const value of values) {
      const step = makeFrame(frame, layout.size);
      step[1] = value;
      if (!holdAll(conditions, step, evaluation)) continue;
      if (rest !== undefined) rest(step, evaluation, taken);
      else if (taken.push(step) > evaluation.limits.arrayLength) evaluation.array(taken.length);
    }
  };
}

function holdAll(conditions: Loop['conditions'], step: Frame, evaluation: Evaluation): boolean {
  for (const condition of conditions) {
    if (!condition(step, evaluation)) return false;
  }
  return true;
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

/** To make a name and to find whether it is there already takes about so many steps. */
const namingSteps = 8;

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
  const none = { fields: new Map(), listing: undefined, fixed: undefined };
  const shape: Shape = { scope: scoped.frame, setLocals, asserts: [], ...none };
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
    const taken: Frame[] = [];
    steps(frame, evaluation, taken);
    evaluation.steps(taken.length * namingSteps);
    for (const step of taken) {
      const text = fieldName(name(step, evaluation), place);
      if (text === undefined) continue;
      if (fields.has(text)) throw refuseDuplicate(text, place);
      fields.set(text, fieldOf(step));
    }
    return new JsonnetObject([new LiteralLayer(shape, frame, fields)]);
  };
}
