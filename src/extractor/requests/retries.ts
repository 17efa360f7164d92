import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isList, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { integerOf, isEmpty, isNumeric } from '../values/loose.ts';

/** Which failed requests are sent again, and after how long. */
export interface Retries {
  /** Tries behind the first one. */
  readonly most: number;
  /** Of a header of the answer that says when, in lower case. */
  readonly header: string;
  readonly statuses: ReadonlySet<number>;
  /** Numbers of curl, by which configurations name failures of the network. */
  readonly failures: ReadonlySet<number>;
}

const usual: Retries = {
  most: 10,
  header: 'retry-after',
  statuses: new Set([500, 502, 503, 504, 408, 420, 429]),
  failures: new Set([28, 6, 7, 35, 52, 56]),
};

/** Reads `api.retryConfig`, also under its old flat names. */
export function parseRetries(value: JsonValue | undefined): Retries {
  if (value === undefined || isEmpty(value)) return usual;
  if (!isObject(value)) throw new ExtractorError("'retryConfig' must be an object.");
  const [http, curl] = [objectAt(value, 'http'), objectAt(value, 'curl')];
  const header = fieldOf(http, 'retryHeader') ?? fieldOf(value, 'headerName');
  return {
    most: mostOf(fieldOf(value, 'maxRetries')),
    header: isEmpty(header) ? usual.header : shown(header).toLowerCase(),
    statuses: codesOf('http.codes', fieldOf(http, 'codes') ?? fieldOf(value, 'httpCodes')) ?? usual.statuses,
    failures: codesOf('curl.codes', fieldOf(curl, 'codes') ?? fieldOf(value, 'curlCodes')) ?? usual.failures,
  };
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const found = fieldOf(value, name);
  return isObject(found) ? found : {};
}

function mostOf(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return usual.most;
  if (!isNumeric(value) || integerOf(value) < 0)
    throw new ExtractorError(`'retryConfig.maxRetries' must be a number of 0 or more. Value '${shown(value)}'.`);
  return integerOf(value);
}

function codesOf(name: string, value: JsonValue | undefined): ReadonlySet<number> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isList(value) || !value.every((code) => isNumeric(code)))
    throw new ExtractorError(`'retryConfig.${name}' must be a list of numbers. Value '${shown(value)}'.`);
  return new Set(value.map((code) => integerOf(code)));
}

/** Longest wait that doubling comes to. */
export const longestDelayMs = 10 * 60_000;

export interface Failed {
  /** 1 before the first retry. */
  readonly retry: number;
  /** The header of the answer that says when; undefined where it has none. */
  readonly after: string | undefined;
  /** Milliseconds since the epoch, by the clock of who answered where it is known. */
  readonly now: number;
  /** From 0 up to 1. */
  readonly random: number;
}

/**
 * Milliseconds before a retry: what the answer asks for, in seconds, as a Unix time or as a date; else 1 s, 2 s, 4 s …, each by half up or
 * down, and never below what the answer asked for (E7, E13).
 */
export function delayBefore({ retry, after, now, random }: Failed): number {
  const asked = askedDelay(after, now);
  if (asked !== undefined) return asked * (1 + random / 2);
  return Math.min(longestDelayMs, 1000 * 2 ** (retry - 1) * (0.5 + random));
}

/** A clock that differs by more is no clock: what answers repeats an old answer. */
const likelyDifferenceMs = 24 * 3_600_000;

/**
 * When an answer was given, by its header `date`: the time that it names is by the same clock, and this machine's may be off. The time
 * `now` of this machine where the header says nothing that may be.
 */
export function answeredAt(date: string | undefined, now: number): number {
  const said = date === undefined ? Number.NaN : Date.parse(date);
  return Math.abs(said - now) <= likelyDifferenceMs ? said : now;
}

/** A number as large as this is a time, not a delay. */
const leastUnixTime = 1_000_000_000;

function askedDelay(after: string | undefined, now: number): number | undefined {
  if (after === undefined) return undefined;
  if (isNumeric(after)) {
    const seconds = Number(after);
    return Math.max(0, seconds < leastUnixTime ? seconds * 1000 : seconds * 1000 - now);
  }
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
