import type { Evaluation } from '../evaluation.ts';
import type { FixedFields } from '../values/layer.ts';
import { chargedNumber } from '../values/number-text.ts';
import { JsonnetObject } from '../values/jsonnet-object.ts';
import { plainListing } from '../values/slot-layer.ts';
import {
  isArray,
  isFunction,
  type ArrayValue,
  type ObjectValue,
  type PlainObject,
  type Value,
} from '../values/value.ts';
import type { JsonStyle } from './json-style.ts';
import { quote } from './quote.ts';

/** JSON text of a value in one line; refuses functions. Late values and fields are computed on the way. */
export function jsonLine(value: Value, style: JsonStyle, evaluation: Evaluation): string {
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return chargedNumber(value, evaluation);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      if (value === null) return 'null';
      if (isFunction(value)) throw evaluation.error("couldn't manifest function as JSON");
      return nestedLine(value, style, evaluation);
  }
}

function nestedLine(value: ArrayValue | ObjectValue, style: JsonStyle, evaluation: Evaluation): string {
  evaluation.enter();
  const text = isArray(value) ? arrayLine(value, style, evaluation) : objectLine(value, style, evaluation);
  evaluation.leave();
  return text;
}

function arrayLine(array: ArrayValue, style: JsonStyle, evaluation: Evaluation): string {
  if (array.length === 0) return style.emptyArray;
  evaluation.steps(array.length);
  let text = '';
  for (const slot of array) {
    const separator = text === '' ? '[' : style.comma;
    text += separator + jsonLine(evaluation.force(slot), style, evaluation);
    if (text.length > evaluation.limits.textLength) evaluation.text(text.length);
  }
  return `${text}]`;
}

function objectLine(object: ObjectValue, style: JsonStyle, evaluation: Evaluation): string {
  if (!(object instanceof JsonnetObject)) return plainLine(object, style, evaluation);
  object.checkAsserts(evaluation);
  if (object.fixed !== undefined) return fixedLine(object, object.fixed, { style, evaluation });
  const names = object.listing(evaluation).visible;
  if (names.length === 0) return style.emptyObject;
  let text = '';
  for (const name of names) {
    const separator = text === '' ? '{' : style.comma;
    const value = object.get(name, evaluation) ?? null;
    text += separator + quote(name) + style.colon + jsonLine(value, style, evaluation);
    if (text.length > evaluation.limits.textLength) evaluation.text(text.length);
  }
  return `${text}}`;
}

interface Manner {
  readonly style: JsonStyle;
  readonly evaluation: Evaluation;
}

/** An object that is one literal: the names are in order and quoted already. */
function fixedLine(object: JsonnetObject, fixed: FixedFields, { style, evaluation }: Manner): string {
  if (fixed.shown.length === 0) return style.emptyObject;
  let text = '';
  for (const { index, quoted } of fixed.shown) {
    const separator = text === '' ? '{' : style.comma;
    const value = object.getFixed(fixed, index, evaluation) ?? null;
    text += separator + quoted + style.colon + jsonLine(value, style, evaluation);
    if (text.length > evaluation.limits.textLength) evaluation.text(text.length);
  }
  return `${text}}`;
}

function plainLine(object: PlainObject, style: JsonStyle, evaluation: Evaluation): string {
  const names = plainListing(object, evaluation).visible;
  if (names.length === 0) return style.emptyObject;
  let text = '';
  for (const name of names) {
    const separator = text === '' ? '{' : style.comma;
    text += separator + quote(name) + style.colon + jsonLine(object[name] ?? null, style, evaluation);
    if (text.length > evaluation.limits.textLength) evaluation.text(text.length);
  }
  return `${text}}`;
}
