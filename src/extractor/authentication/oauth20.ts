import { evaluateFields } from '../functions/evaluate.ts';
import { headerTexts, mergedHeaders, withQuery } from '../requests/request.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import type { Authentication, AuthenticationOf } from './authentication.ts';
import { parseCredentials, parseOAuthData } from './oauth-credentials.ts';
import { requestReferences } from './references.ts';

/** Authentication `oauth20`: headers and query of each request, of the data of the authorization. */
export function oauth20Authentication(settings: JsonObject, of: AuthenticationOf): Authentication {
  const { clientId, data: text } = parseCredentials(of.authorization);
  const data = dataOf(settings, text);
  const [headers, query] = [fieldsOf(settings, 'headers'), fieldsOf(settings, 'query')];
  return {
    authenticate: async (request) => {
      const now = of.now();
      const authorization: JsonObject = {
        clientId,
        nonce: nonce(of.random),
        timestamp: Math.floor(now / 1000),
        data,
      };
      const references = { authorization, ...requestReferences(request) };
      const own = headerTexts(evaluateFields(headers, { references, now }));
      return {
        ...request,
        url: withQuery(request.url, evaluateFields(query, { references, now })),
        headers: mergedHeaders(request.headers, own),
      };
    },
  };
}

function dataOf(settings: JsonObject, text: string): JsonValue {
  const format = fieldOf(settings, 'format');
  const name = isEmpty(format) ? 'text' : shown(format);
  if (name === 'text') return text;
  if (name !== 'json') throw new ExtractorError(`Unknown OAuth data format '${name}'.`);
  return parseOAuthData(text);
}

/** 16 hexadecimal digits. */
function nonce(random: () => number): string {
  return Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join('');
}

function fieldsOf(settings: JsonObject, name: string): JsonObject {
  const found = fieldOf(settings, name);
  return isObject(found) ? found : {};
}
