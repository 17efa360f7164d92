import { parseJsonText } from '../../core/parse-json-text.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';

export interface OAuthCredentials {
  readonly data: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Reads `authorization.oauth_api.credentials`. */
export function parseCredentials(authorization: JsonValue | undefined): OAuthCredentials {
  const credentials = at(at(authorization, 'oauth_api'), 'credentials');
  if (!isObject(credentials) || Object.keys(credentials).length === 0)
    throw new ExtractorError('OAuth API credentials not supplied in configuration.');
  return {
    data: needed(credentials, '#data'),
    clientId: needed(credentials, 'appKey'),
    clientSecret: needed(credentials, '#appSecret'),
  };
}

function at(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? fieldOf(value, name) : undefined;
}

function needed(credentials: JsonObject, name: string): string {
  const value = fieldOf(credentials, name);
  if (isEmpty(value)) throw new ExtractorError(`Missing '${name}' for OAuth 2.0 authorization.`);
  return shown(value);
}

/** The data of an authorization as JSON. */
export function parseOAuthData(text: string): JsonValue {
  try {
    return parseJsonText(text) as JsonValue;
  } catch {
    throw new ExtractorError('The OAuth data is not a valid JSON');
  }
}
