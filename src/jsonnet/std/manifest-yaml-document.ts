import type { Evaluation } from '../evaluation.ts';
import { decimalText } from '../manifest/decimal-text.ts';
import { quote } from '../manifest/quote.ts';
import { scalarText, type ScalarStyle } from '../manifest/scalar-text.ts';
import type { TextBuilder } from './text-builder.ts';
import { pathText, type ValuePath } from '../manifest/value-path.ts';
import { visibleFields } from '../manifest/visible-fields.ts';
import { fieldValue } from '../values/object-fields.ts';
import { isArray, isFunction, isObject, type ArrayValue, type ObjectValue, type Value } from '../values/value.ts';
import { isBareYamlKey } from './bare-yaml-key.ts';

export interface YamlOutput {
  readonly builder: TextBuilder;
  readonly evaluation: Evaluation;
  /** Whether an array in an object stands deeper than the key it belongs to. */
  readonly indentArrays: boolean;
  /** Whether keys that could stand bare are quoted too. */
  readonly quoteKeys: boolean;
}

/** Writes a value as a YAML document in block style, without an end of line; refuses functions. */
export function writeYaml(value: Value, output: YamlOutput): void {
  write(value, { ...output, indent: '', path: undefined });
}

interface Place extends YamlOutput {
  /** What stands before a further line of the value that is being written. */
  readonly indent: string;
  readonly path: ValuePath | undefined;
}

const level = '  ';

const scalars: ScalarStyle = { yes: 'true', no: 'false', nothing: 'null', number: decimalText, text: quote };

function write(value: Value, place: Place): void {
  const { builder, evaluation } = place;
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'string' && value.endsWith('\n')) writeBlock(value, place);
    else builder.append(scalarText(value, scalars, evaluation));
  } else if (isFunction(value)) {
    throw evaluation.error(`Tried to manifest function at ${pathText(place.path)}`);
  } else {
    evaluation.enter();
    if (isArray(value)) writeArray(value, place);
    else writeObject(value, place);
    evaluation.leave();
  }
}

/** A string that ends a line, as it is under a `|`. */
function writeBlock(text: string, { builder, evaluation, indent }: Place): void {
  builder.append('|');
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    evaluation.steps(1);
    builder.append('\n').append(indent).append(level).append(text.slice(start, end));
    start = end + 1;
  }
}

function writeArray(array: ArrayValue, place: Place): void {
  const { builder, evaluation, indent } = place;
  if (array.length === 0) builder.append('[]');
  evaluation.steps(array.length);
  array.forEach((slot, index) => {
    if (index > 0) builder.append('\n').append(indent);
    const value = evaluation.force(slot);
    const deeper = indent + level;
    // An object begins beside its dash, for its keys stand two wide as well; an array there would be hard to read.
    builder.append(isFilledArray(value) ? `-\n${deeper}` : '- ');
    const path = { parent: place.path, key: index };
    write(value, { ...place, path, indent: isArray(value) || isObject(value) ? deeper : indent });
  });
}

function writeObject(object: ObjectValue, place: Place): void {
  const { builder, evaluation, indent } = place;
  const names = visibleFields(object, evaluation);
  if (names.length === 0) builder.append('{}');
  names.forEach((name, index) => {
    if (index > 0) builder.append('\n').append(indent);
    const value = fieldValue(object, name, evaluation) ?? null;
    const inner = isFilledArray(value) && !place.indentArrays ? indent : indent + level;
    const nested = isFilledArray(value) || (isObject(value) && visibleFields(value, evaluation).length > 0);
    evaluation.scan(name.length);
    builder.append(place.quoteKeys || !isBareYamlKey(name) ? quote(name) : name);
    builder.append(nested ? `:\n${inner}` : ': ');
    write(value, { ...place, path: { parent: place.path, key: name }, indent: nested ? inner : indent });
  });
}

function isFilledArray(value: Value): boolean {
  return isArray(value) && value.length > 0;
}
