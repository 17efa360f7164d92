import type { HttpSettings } from '../../ports/http-client.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isObject, type JsonObject } from '../values/json-value.ts';
import { isNumeric, numberOf } from '../values/loose.ts';

/** What a configuration says of its connections. */
export function parseConnections(api: JsonObject): HttpSettings {
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
