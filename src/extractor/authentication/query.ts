import { evaluateFields } from '../functions/evaluate.ts';
import { withQuery } from '../requests/request.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isObject, type JsonObject } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import type { Authentication, AuthenticationOf } from './authentication.ts';
import { requestReferences } from './references.ts';

/** Authentication `query`: parameters in the query of each request. */
export function queryAuthentication(settings: JsonObject, of: AuthenticationOf): Authentication {
  const { api, attributes, now, log } = of;
  let query = fieldOf(settings, 'query');
  const old = fieldOf(api, 'query');
  if (isEmpty(query) && !isEmpty(old)) {
    log.warning("Using 'api.query' is deprecated, use 'api.authentication.query");
    query = old;
  }
  if (isEmpty(query) || !isObject(query))
    throw new ExtractorError(
      "The query authentication method requires 'query' configuration in 'authentication' section.",
    );
  const fields = query;
  return {
    authenticate: async (request) => {
      const references = { attr: attributes, ...requestReferences(request) };
      return { ...request, url: withQuery(request.url, evaluateFields(fields, { references, now: now() })) };
    },
  };
}
