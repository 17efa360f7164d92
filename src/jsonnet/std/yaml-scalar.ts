import { isScalar, Scalar } from 'yaml';
import type { Evaluation } from '../evaluation.ts';
import type { Value } from '../values/value.ts';
import { decodeBase64 } from './base64.ts';
import { textOfBytes } from './bytes.ts';

const tagPrefix = 'tag:yaml.org,2002:';

/** Whether a key of a map is `<<`, which brings the fields of another one. */
export function isMergeKey(node: unknown): boolean {
  return isScalar(node) && node.value === '<<' && node.type === Scalar.PLAIN && node.tag === undefined;
}

/** The value of a scalar: by its tag, or by its text when it has neither a tag nor quotes. */
export function scalarValue(node: Scalar, evaluation: Evaluation): Value {
  const text = typeof node.value === 'string' ? node.value.toWellFormed() : '';
  const tag = node.tag;
  if (tag === undefined) return node.type === Scalar.PLAIN ? plainValue(text, evaluation) : text;
  switch (tag.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : '') {
    case 'binary':
      return textOfBytes(decodeBase64(text, evaluation), evaluation);
    case 'null':
      return require(text, (value) => value === null, { tag, evaluation });
    case 'bool':
      return require(text, (value) => typeof value === 'boolean', { tag, evaluation });
    case 'int':
      return require(text, (value) => Number.isInteger(value), { tag, evaluation });
    case 'float':
      return require(text, (value) => typeof value === 'number', { tag, evaluation });
    default:
      return text;
  }
}

function require(
  text: string,
  accepts: (value: Value) => boolean,
  { tag, evaluation }: { tag: string; evaluation: Evaluation },
): Value {
  const value = plainValue(text, evaluation);
  if (accepts(value)) return value;
  throw evaluation.error(`failed to parse YAML: cannot decode \`${text}\` as a !!${tag.slice(tagPrefix.length)}`);
}

const words = new Map<string, Value>([
  ...inCases(['y', 'yes', 'true', 'on'], true),
  ...inCases(['n', 'no', 'false', 'off'], false),
  ...inCases(['null'], null),
  ['~', null],
  ['', null],
]);

/** A text without quotes by the rules of YAML 1.1, but for times and numbers to the base of 60, which are strings. */
function plainValue(text: string, evaluation: Evaluation): Value {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (/^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(text)) {
    throw evaluation.error(`failed to parse YAML: unsupported value: ${text}`);
  }
  return /^[-+.\d]/.test(text) ? (numberOf(text) ?? text) : text;
}

const based = /^([-+]?)0(?:[xX]([\da-fA-F]+)|[bB]([01]+)|[oO]?([0-7]+))$/;
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

function numberOf(text: string): number | undefined {
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  const [, sign, hex, binary, octal] = based.exec(digits) ?? [];
  if (sign !== undefined) {
    const size = Number.parseInt(hex ?? binary ?? octal ?? '', hex === undefined ? (binary === undefined ? 8 : 2) : 16);
    return sign === '-' ? 0 - size : size;
  }
  if (!decimal.test(digits)) return undefined;
  const value = Number(digits);
  if (!Number.isFinite(value)) return undefined;
  // A whole number has no signed zero.
  return /^[-+]?\d+$/.test(digits) ? value + 0 : value;
}

function inCases(names: readonly string[], value: Value): [string, Value][] {
  return names.flatMap((name) => {
    const capital = name.slice(0, 1).toUpperCase() + name.slice(1);
    return [name, capital, name.toUpperCase()].map((text): [string, Value] => [text, value]);
  });
}
