import type { Evaluation } from '../evaluation.ts';
import { codePointLength } from '../values/code-points.ts';
import { fieldValue } from '../values/object-fields.ts';
import { isArray, isObject, typeName, type ArrayValue, type ObjectValue, type Value } from '../values/value.ts';
import {
  formatDecimal,
  formatGeneral,
  formatHexadecimal,
  formatInteger,
  formatScientific,
  type SizedCode,
} from './format-number.ts';
import type { Format, FormatCode } from './format-syntax.ts';
import { characterOf } from './strings-characters.ts';

type Parts = Extract<Format, { kind: 'parts' }>['parts'];

/** Puts values into a format: those of an array in order, fields of an object by name, or any other value alone. */
export function formatValues(format: Format, values: Value, evaluation: Evaluation): string {
  if (format.kind === 'fault') throw evaluation.error(format.message);
  evaluation.steps(format.parts.length);
  const text = isObject(values)
    ? formatFields(format.parts, values, evaluation)
    : formatElements(format.parts, isArray(values) ? values : [values], evaluation);
  evaluation.text(text.length);
  return text;
}

function formatElements(parts: Parts, values: ArrayValue, evaluation: Evaluation): string {
  let used = 0;
  const take = (expected: string): Value => {
    const slot = values[used];
    if (slot === undefined) {
      throw evaluation.error(`Not enough values to format: ${values.length}, expected ${expected} ${used}`);
    }
    used++;
    return evaluation.force(slot);
  };
  const takeSize = (): number => {
    const size = take('at least');
    if (typeof size === 'number') return size;
    throw evaluation.error(`std.format: Unexpected type ${typeName(size)}, expected number`);
  };
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const code = isSized(part) ? part : withSizes(part, takeSize);
    if (code.conversion === '%') text += padded('%', code, evaluation);
    else text += formatValue(take('more than'), { code, name: used - 1 }, evaluation);
    if (text.length > evaluation.limits.textLength) evaluation.text(text.length);
  }
  if (used < values.length) {
    throw evaluation.error(`Too many values to format: ${values.length}, expected ${used}`);
  }
  return text;
}

function formatFields(parts: Parts, values: ObjectValue, evaluation: Evaluation): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    if (part.width === '*') throw evaluation.error('Cannot use * field width with object.');
    if (!isSized(part)) throw evaluation.error('Cannot use * precision with object.');
    if (part.conversion === '%') text += padded('%', part, evaluation);
    else {
      if (part.key === undefined) throw evaluation.error('Mapping keys required.');
      const value = fieldValue(values, part.key, evaluation);
      if (value === undefined) throw evaluation.error(`No such field: ${part.key}`);
      text += formatValue(value, { code: part, name: part.key }, evaluation);
    }
    if (text.length > evaluation.limits.textLength) evaluation.text(text.length);
  }
  return text;
}

function isSized(code: FormatCode): code is SizedCode {
  return code.width !== '*' && code.precision !== '*';
}

function withSizes(code: FormatCode, takeSize: () => number): SizedCode {
  const width = code.width === '*' ? takeSize() : code.width;
  return { ...code, width, precision: code.precision === '*' ? takeSize() : code.precision };
}

interface Target {
  readonly code: SizedCode;
  /** Index or name of the value, for messages. */
  readonly name: number | string;
}

function formatValue(value: Value, target: Target, evaluation: Evaluation): string {
  return padded(converted(value, target, evaluation), target.code, evaluation);
}

function converted(value: Value, { code, name }: Target, evaluation: Evaluation): string {
  const { conversion } = code;
  if (conversion === 's') return evaluation.toText(value);
  if (conversion === 'c') return character(value, evaluation);
  if (typeof value !== 'number') {
    throw evaluation.error(`Format required number at ${name}, got ${typeName(value)}`);
  }
  switch (conversion) {
    case 'd':
    case 'o':
      return formatInteger(value, code, evaluation);
    case 'x':
      return formatHexadecimal(value, code, evaluation);
    case 'f':
      return formatDecimal(value, code, evaluation);
    case 'e':
      return formatScientific(value, code, evaluation);
    case 'g':
      return formatGeneral(value, code, evaluation);
    case '%':
      return '%';
    default:
      return conversion satisfies never;
  }
}

function character(value: Value, evaluation: Evaluation): string {
  if (typeof value === 'number') return characterOf(value, evaluation);
  if (typeof value !== 'string') {
    throw evaluation.error(`%c expected number / string, got: ${typeName(value)}`);
  }
  const length = codePointLength(value);
  if (length !== 1) throw evaluation.error(`%c expected 1-sized string got: ${length}`);
  return value;
}

function padded(text: string, { width, left }: SizedCode, evaluation: Evaluation): string {
  if (width <= 0) return text;
  const missing = Math.ceil(width - codePointLength(text));
  if (missing <= 0) return text;
  evaluation.text(text.length + missing);
  return left ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}
