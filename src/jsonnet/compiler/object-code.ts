import type { Code, Frame } from '../values/frame.ts';
import { JsonnetObject } from '../values/jsonnet-object.ts';
import type { Field, FieldListing, FixedFields } from '../values/layer.ts';
import { sortedNames } from '../values/sorted-names.ts';
import { typeName, type Value } from '../values/value.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Place } from '../place.ts';
import { quote } from '../manifest/quote.ts';
import type { Check, FieldNode, ObjectNode } from '../syntax/node.ts';
import { checkCode } from './check-code.ts';
import type { Context } from './context.ts';
import { LiteralField, LiteralLayer, type Shape } from './literal-layer.ts';
import { declareLocals } from './local-code.ts';

interface ComputedField {
  readonly name: Code;
  readonly place: Place;
  readonly field: LiteralField;
}

/** So many late values take the memory of an object. */
const objectLates = 5;

/** An object literal. */
export function objectCode(node: ObjectNode, context: Context): Code {
  const { shape, computed, setOuterLocals } = compileObject(node, context);
  const make = (frame: Frame, evaluation: Evaluation, fields?: ReadonlyMap<string, Field>): Value => {
    evaluation.late(objectLates + (fields?.size ?? 0));
    return new JsonnetObject([new LiteralLayer(shape, frame, fields)]);
  };
  if (computed.length === 0) {
    if (node.locals.length === 0 || setOuterLocals === undefined) return make;
    return (frame, evaluation) => {
      setOuterLocals(frame, evaluation);
      return make(frame, evaluation);
    };
  }
  return (frame, evaluation) => {
    setOuterLocals?.(frame, evaluation);
    return make(frame, evaluation, computeNames(shape.fields, computed, { frame, evaluation }));
  };
}

/** The name of a computed field; `undefined` for `null`, which leaves the field out. */
export function fieldName(value: Value, place: Place): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null) return undefined;
  throw new JsonnetError('runtime', `Field name must be string, got ${typeName(value)}`, { place });
}

export function refuseDuplicate(name: string, place: Place): JsonnetError {
  return new JsonnetError('runtime', `Duplicate field name: "${name}"`, { place });
}

function computeNames(
  fixed: ReadonlyMap<string, LiteralField>,
  computed: readonly ComputedField[],
  at: { frame: Frame; evaluation: Evaluation },
): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>(fixed);
  for (const { name, place, field } of computed) {
    const text = fieldName(name(at.frame, at.evaluation), place);
    if (text === undefined) continue;
    if (fields.has(text)) throw refuseDuplicate(text, place);
    fields.set(text, field);
  }
  return fields;
}

function compileObject(node: ObjectNode, context: Context) {
  const isScoped = context.program.selfUsers.has(node);
  const around = isScoped ? context.inside() : context;
  if (isScoped) reserveSelf(around);
  const scope = { frame: around.frame };
  const { context: inside, set } = declareLocals(node.locals, around.inObject(scope));
  const setLocals = set(inside);
  const fixed = new Map<string, LiteralField>();
  const computed: ComputedField[] = [];
  for (const field of node.fields) {
    const compiled = compileField(field, inside);
    const { name } = field;
    if (name.kind === 'literal' && typeof name.value === 'string' && !fixed.has(name.value))
      fixed.set(name.value, compiled);
    else computed.push({ name: context.code(name), place: name.place, field: compiled });
  }
  const asserts = node.asserts.map((check: Check) => checkCode(check, inside, 'Object assertion failed.'));
  const listing = computed.length === 0 ? listingOf(fixed) : undefined;
  const shape: Shape = {
    scope: isScoped ? around.frame : undefined,
    setLocals,
    asserts,
    fields: fixed,
    listing,
    fixed: listing && fixedOf(fixed, listing),
  };
  return { shape, computed, setOuterLocals: isScoped ? undefined : setLocals };
}

/** Slots 1 and 2 of an object's frame: the object and the layer's depth. */
export function reserveSelf(context: Context): void {
  context.frame.add();
  context.frame.add();
}

function compileField(field: FieldNode, context: Context): LiteralField {
  return new LiteralField(context.with({ unset: new Set() }).code(field.value), field.visibility, field.plus);
}

function listingOf(fields: ReadonlyMap<string, LiteralField>): FieldListing {
  const all = sortedNames([...fields.keys()]);
  return { all, visible: all.filter((name) => fields.get(name)?.visibility !== 'hidden') };
}

function fixedOf(fields: ReadonlyMap<string, LiteralField>, { all, visible }: FieldListing): FixedFields {
  const indexes = new Map(all.map((name, index) => [name, index]));
  return {
    indexes,
    fields: all.flatMap((name) => fields.get(name) ?? []),
    shown: visible.map((name) => ({ index: indexes.get(name) ?? 0, quoted: quote(name) })),
  };
}
