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

/** The item with the values at the paths of the filter as JSON texts; a path that it does not have changes nothing. */
export function filtered(item: JsonValue, filter: ResponseFilter): JsonValue {
  return filter.paths.reduce((value, path) => at(value, path.split(filter.delimiter), filter), item);
}

function at(value: JsonValue, [step, ...rest]: readonly string[], filter: ResponseFilter): JsonValue {
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

function text(value: JsonValue, { encodesScalars }: ResponseFilter): JsonValue {
  const isScalar = value !== null && !isList(value) && !isObject(value);
  return isScalar && !encodesScalars ? value : jsonText(value);
}
