import type { Evaluation } from '../evaluation.ts';
import { quote } from '../manifest/quote.ts';
import { scalarText, type ScalarStyle } from '../manifest/scalar-text.ts';
import type { TextBuilder } from './text-builder.ts';
import { pathText, type ValuePath } from '../manifest/value-path.ts';
import { visibleFields } from '../manifest/visible-fields.ts';
import { numberText } from '../values/number-text.ts';
import { fieldValue } from '../values/object-fields.ts';
import { isArray, isFunction, type ArrayValue, type ObjectValue, type Value } from '../values/value.ts';

interface ValuePlace {
  readonly builder: TextBuilder;
  readonly evaluation: Evaluation;
  readonly indent: string;
  readonly margin: string;
  readonly path: ValuePath | undefined;
}

const scalars: ScalarStyle = { yes: 'true', no: 'false', nothing: '', number: numberText, text: quote };

/** Writes the value of a key: an array has a line for each element, all within an element stands in its line. */
export function writeTomlValue(value: Value, place: ValuePlace): void {
  const { builder, margin } = place;
  if (!isArray(value) || value.length === 0) return writeInline(value, place);
  builder.append('[\n');
  writeElements(value, { separator: ',\n', before: margin + place.indent }, place);
  builder.append('\n').append(margin).append(']');
}

/** A key as it is when it may stand bare, in quotes otherwise. */
export function tomlKey(name: string): string {
  if (name === '') return "''";
  return /^[\w-]+$/.test(name) ? name : quote(name);
}

function writeInline(value: Value, place: ValuePlace): void {
  const { builder, evaluation } = place;
  if (value === null) throw evaluation.error(`Tried to manifest "null" at ${pathText(place.path)}`);
  if (typeof value !== 'object') {
    builder.append(scalarText(value, scalars, evaluation));
  } else if (isFunction(value)) {
    throw evaluation.error(`Tried to manifest function at ${pathText(place.path)}`);
  } else if (isArray(value) && value.length === 0) {
    builder.append('[]');
  } else if (isArray(value)) {
    builder.append('[ ');
    writeElements(value, { separator: ', ', before: '' }, place);
    builder.append(' ]');
  } else {
    writeInlineTable(value, place);
  }
}

function writeElements(array: ArrayValue, around: { separator: string; before: string }, place: ValuePlace): void {
  const { builder, evaluation } = place;
  evaluation.enter();
  evaluation.steps(array.length);
  array.forEach((slot, index) => {
    if (index > 0) builder.append(around.separator);
    builder.append(around.before);
    writeInline(evaluation.force(slot), { ...place, path: { parent: place.path, key: index } });
  });
  evaluation.leave();
}

function writeInlineTable(table: ObjectValue, place: ValuePlace): void {
  const { builder, evaluation } = place;
  evaluation.enter();
  builder.append('{ ');
  visibleFields(table, evaluation).forEach((name, index) => {
    if (index > 0) builder.append(', ');
    builder.append(tomlKey(name)).append(' = ');
    const value = fieldValue(table, name, evaluation) ?? null;
    writeInline(value, { ...place, path: { parent: place.path, key: name } });
  });
  builder.append(' }');
  evaluation.leave();
}
