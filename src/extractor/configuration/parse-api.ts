import { parseJsonText } from '../../core/parse-json-text.ts';
import { evaluate, evaluateFields, type Evaluation } from '../functions/evaluate.ts';
import { headerTexts, mergedHeaders, parseMethod } from '../requests/request.ts';
import { parseRetries, type Retries } from '../requests/retries.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import { fieldOf, isList, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { integerOf, isEmpty, isNumeric } from '../values/loose.ts';

/** `api` for one iteration. */
export interface ApiSettings {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What stands under each request, its own fields above. */
  readonly defaultOptions: JsonObject;
  readonly retries: Retries;
  /** Statuses that are a page like others. */
  readonly ignoreErrors: ReadonlySet<number>;
}

export interface ApiOf {
  readonly api: JsonObject;
  /** `config` without its jobs. */
  readonly attributes: JsonObject;
  readonly evaluation: Evaluation;
  readonly log: ExtractorLog;
}

/** Reads what `api` says of all requests. */
export function parseApi({ api, attributes, evaluation, log }: ApiOf): ApiSettings {
  const http = objectOf(fieldOf(api, 'http'));
  const headers = headersOf(http, attributes, evaluation);
  const name = fieldOf(api, 'name');
  const defaultOptions = objectOf(fieldOf(http, 'defaultOptions'));
  parseMethod(fieldOf(defaultOptions, 'method'));
  return {
    name: isEmpty(name) ? 'generic' : shown(name),
    baseUrl: baseUrlOf(fieldOf(api, 'baseUrl'), evaluation, log),
    headers,
    defaultOptions,
    retries: parseRetries(fieldOf(api, 'retryConfig')),
    ignoreErrors: statusesOf(fieldOf(http, 'ignoreErrors')),
  };
}

function headersOf(http: JsonObject, attributes: JsonObject, evaluation: Evaluation): ApiSettings['headers'] {
  const own = objectOf(fieldOf(objectOf(fieldOf(attributes, 'http')), 'headers'));
  const required = fieldOf(http, 'requiredHeaders');
  for (const name of isList(required) ? required : [])
    if (isEmpty(fieldOf(own, shown(name))))
      throw new ExtractorError(`Missing required header ${shown(name)} in 'config.http.headers'.`);
  const usual = objectOf(fieldOf(http, 'headers'));
  return mergedHeaders(headerTexts(evaluateFields(usual, evaluation)), headerTexts(evaluateFields(own, evaluation)));
}

function baseUrlOf(value: JsonValue | undefined, evaluation: Evaluation, log: ExtractorLog): string {
  if (value === undefined || isEmpty(value))
    throw new ExtractorError("The 'baseUrl' attribute must be set in API configuration");
  if (isUrl(value)) return value;
  const made = evaluate(typeof value === 'string' ? functionOf(value, log) : value, evaluation);
  if (isUrl(made)) return made;
  throw new ExtractorError(`The "baseUrl" attribute in API configuration resulted in an invalid URL (${shown(made)})`);
}

/** A function may be written as a JSON text, too. */
function functionOf(text: string, log: ExtractorLog): JsonValue {
  try {
    const value = parseJsonText(text) as JsonValue;
    if (isObject(value)) {
      log.warning('Passing json-encoded baseUrl is deprecated.');
      return value;
    }
  } catch {
    // Not JSON either.
  }
  throw new ExtractorError("The 'baseUrl' attribute in API configuration is not a valid URL");
}

function isUrl(value: JsonValue): value is string {
  if (typeof value !== 'string' || /\s/.test(value)) return false;
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\//i.test(value);
}

function statusesOf(value: JsonValue | undefined): ReadonlySet<number> {
  if (value === undefined || isEmpty(value)) return new Set();
  if (!isList(value) || !value.every((code) => isNumeric(code)))
    throw new ExtractorError("'http.ignoreErrors' must be a list of status codes.");
  return new Set(value.map((code) => integerOf(code)));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
