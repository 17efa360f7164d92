import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isList, isObject, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { jsonText } from '../values/json-text.ts';
import { isEmpty } from '../values/loose.ts';

/** Which values of an item are kept as JSON text; `[]` behind a name means each element of its array. */
export interface ResponseFilter {
  readonly paths: readonly string[];
  readonly delimiter: string;
  /** False below level 3 of compatibility: scalars stay as they are, and so does what PHP calls empty. */
  readonly encodesScalars: boolean;
}

/** D8: a filter of more paths than anybody writes is walked for each item. */
export const mostPaths = 1000;

/** D8: a text within a text takes twice its length, so that some dozens of them take all memory. */
const longestTexts = 16 * 1024 ** 2;

/**
 * The item with the values at the paths of the filter as JSON texts; a path that it does not have changes nothing. An `ExtractorError`
 * where all texts of the item together are longer than any cell may be.
 */
export function filtered(item: JsonValue, filter: ResponseFilter): JsonValue {
  const walk: Walk = { ...filter, length: 0 };
  return filter.paths.reduce((value, path) => at(value, path.split(filter.delimiter), walk), item);
}

interface Walk extends ResponseFilter {
  /** Of the texts so far. */
  length: number;
}

function at(value: JsonValue, [step, ...rest]: readonly string[], filter: Walk): JsonValue {
  if (step === undefined) return text(value, filter);
  if (!isObject(value)) return value;
  const isEach = step.endsWith('[]');
  const name = isEach ? step.slice(0, -2) : step;
  const field = fieldOf(value, name);
  if (field === undefined || (!filter.encodesScalars && isEmpty(field))) return value;
  if (!isEach) return withField(value, name, at(field, rest, filter));
  if (!isList(field)) throw new ExtractorError(`Error filtering response. '${name}' is not an array.`);
  const items = field.map((item) => at(item, rest, filter));
  return withField(value, name, items);
}

function withField(object: JsonObject, name: string, field: JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, key === name ? field : value]));
}

function text(value: JsonValue, walk: Walk): JsonValue {
  const isScalar = value !== null && !isList(value) && !isObject(value);
  if (isScalar && !walk.encodesScalars) return value;
  const made = jsonText(value);
  walk.length += made.length;
  if (walk.length <= longestTexts) return made;
  const message = `Error filtering response. The texts of one item have more than ${longestTexts} characters; name each path once, and none within another.`;
  throw new ExtractorError(message);
}
