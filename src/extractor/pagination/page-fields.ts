import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty, isNumeric, isTruthy, integerOf } from '../values/loose.ts';
import { jsonText } from '../values/json-text.ts';

/** A name of a parameter; empty: the usual one. */
export function nameOr(settings: JsonObject, key: string, usual: string): string {
  const value = fieldOf(settings, key);
  if (isEmpty(value)) return usual;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new ExtractorError(`Parameter 'pagination.${key}' must be a text. Value '${jsonText(value ?? null)}'.`);
}

/** A name without which the method cannot work. */
export function neededName(settings: JsonObject, key: string, method: string): string {
  const value = fieldOf(settings, key);
  if (isEmpty(value)) throw missing(key, method);
  return nameOr(settings, key, '');
}

export function missing(key: string, method: string): ExtractorError {
  return new ExtractorError(`Missing 'pagination.${key}' attribute required for ${method} pagination`);
}

/** A loose yes or no: any text but `""` and `"0"` is yes. */
export function flagOr(settings: JsonObject, key: string, usual: boolean): boolean {
  const value = fieldOf(settings, key);
  return value === undefined || value === null ? usual : isTruthy(value);
}

/** The page size of `pagination.limit`; undefined: it is not given, or below 1. */
export function limitOf(settings: JsonObject): number | undefined {
  const value: JsonValue | undefined = fieldOf(settings, 'limit');
  if (isEmpty(value)) return undefined;
  if (!isNumeric(value))
    throw new ExtractorError(`Parameter 'pagination.limit' is not numeric. Value '${jsonText(value ?? null)}'.`);
  const limit = integerOf(value);
  return limit < 1 ? undefined : limit;
}

/** The page size that a job asks for itself, by the parameter of that name; undefined: it has none. */
export function ownLimit(params: JsonObject, limitParam: string): number | undefined {
  const value = fieldOf(params, limitParam);
  return isEmpty(value) ? undefined : integerOf(value);
}
