import type { Evaluation } from '../evaluation.ts';
import { fieldValue } from '../values/object-fields.ts';
import { isArray, isFunction, type ArrayValue, type ObjectValue, type Value } from '../values/value.ts';
import { scalarText, type ScalarStyle } from '../manifest/scalar-text.ts';
import { TextBuilder } from './text-builder.ts';
import { pathText, type ValuePath } from '../manifest/value-path.ts';
import { visibleFields } from '../manifest/visible-fields.ts';

/** Text in brackets and braces, as JSON and Python have it: what stands between the parts. */
export interface NestedStyle extends ScalarStyle {
  /** After `[` and `{`, and before `]` and `}`. */
  readonly newline: string;
  readonly comma: string;
  readonly colon: string;
  /** Added before each line for each level. */
  readonly indent: string;
}

/** Writes a value as nested text; refuses functions. Late values and fields are computed on the way. */
export function nestedText(value: Value, style: NestedStyle, evaluation: Evaluation): string {
  const builder = new TextBuilder(evaluation);
  write(value, { builder, style, evaluation, indent: '', path: undefined });
  return builder.finish();
}

interface Place {
  readonly builder: TextBuilder;
  readonly style: NestedStyle;
  readonly evaluation: Evaluation;
  readonly indent: string;
  readonly path: ValuePath | undefined;
}

function write(value: Value, place: Place): void {
  if (value === null || typeof value !== 'object') {
    place.builder.append(scalarText(value, place.style, place.evaluation));
  } else if (isFunction(value)) {
    throw place.evaluation.error(`Tried to manifest function at ${pathText(place.path)}`);
  } else {
    place.evaluation.enter();
    if (isArray(value)) writeArray(value, place);
    else writeObject(value, place);
    place.evaluation.leave();
  }
}

function writeArray(array: ArrayValue, place: Place): void {
  const { builder, style, evaluation } = place;
  const indent = place.indent + style.indent;
  evaluation.steps(array.length);
  builder.append('[').append(style.newline);
  array.forEach((slot, index) => {
    if (index > 0) builder.append(style.comma);
    builder.append(indent);
    write(evaluation.force(slot), { ...place, indent, path: { parent: place.path, key: index } });
  });
  builder.append(style.newline).append(place.indent).append(']');
}

function writeObject(object: ObjectValue, place: Place): void {
  const { builder, style, evaluation } = place;
  const indent = place.indent + style.indent;
  builder.append('{').append(style.newline);
  visibleFields(object, evaluation).forEach((name, index) => {
    if (index > 0) builder.append(style.comma);
    builder.append(indent).append(style.text(name)).append(style.colon);
    const value = fieldValue(object, name, evaluation) ?? null;
    write(value, { ...place, indent, path: { parent: place.path, key: name } });
  });
  builder.append(style.newline).append(place.indent).append('}');
}
