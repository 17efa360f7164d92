import { mergedHeaders } from '../requests/request.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import type { Authentication } from './authentication.ts';

/** Authentication `basic`: user and password of `config`. */
export function basicAuthentication(attributes: JsonObject): Authentication {
  const username = given(attributes, 'username');
  if (username === undefined)
    throw new ExtractorError("Missing the required '#username' (or 'username') attribute in config.");
  const password = given(attributes, 'password');
  if (password === undefined) throw new ExtractorError("Missing the required '#password' attribute in config.");
  const pair = Buffer.from(`${shown(username)}:${shown(password)}`).toString('base64');
  const header = { Authorization: `Basic ${pair}` };
  return {
    authenticate: (request) => Promise.resolve({ ...request, headers: mergedHeaders(request.headers, header) }),
  };
}

function given(attributes: JsonObject, name: string): JsonValue | undefined {
  return [fieldOf(attributes, name), fieldOf(attributes, `#${name}`)].find((value) => !isEmpty(value));
}
