import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isObject, type JsonObject } from '../values/json-value.ts';
import { isNumeric, numberOf } from '../values/loose.ts';

/** What a configuration says of its connections: `OpenHttpClient` takes it. */
export interface ConnectionSettings {
  readonly connectTimeoutMs?: number | undefined;
  readonly requestTimeoutMs?: number | undefined;
  /** PEM text of authorities that are trusted besides the public ones. */
  readonly authorities?: string | undefined;
  /** PEM text of a certificate and its key, by which servers know the sender. */
  readonly clientCertificate?: string | undefined;
}

export function parseConnections(api: JsonObject): ConnectionSettings {
  const http = fieldOf(api, 'http');
  const times = isObject(http) ? http : {};
  return {
    connectTimeoutMs: milliseconds(times, 'connectTimeout'),
    requestTimeoutMs: milliseconds(times, 'requestTimeout'),
    authorities: text(api, 'caCertificate'),
    clientCertificate: text(api, '#clientCertificate') ?? text(api, 'clientCertificate'),
  };
}

/** Of seconds; what is no number above 0 is none. */
function milliseconds(http: JsonObject, name: string): number | undefined {
  const value = fieldOf(http, name);
  return isNumeric(value) && numberOf(value) > 0 ? Math.ceil(numberOf(value) * 1000) : undefined;
}

function text(api: JsonObject, name: string): string | undefined {
  const value = fieldOf(api, name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new ExtractorError(`The '${name.replace('#', '')}' must be string.`);
}
