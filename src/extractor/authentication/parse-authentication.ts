import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isObject, shown } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import type { Authentication, AuthenticationOf } from './authentication.ts';
import { basicAuthentication } from './basic.ts';
import { loginAuthentication, oauth20LoginAuthentication } from './login.ts';
import { oauth20Authentication } from './oauth20.ts';
import { queryAuthentication } from './query.ts';

/** Reads `api.authentication`. What is wrong with it is an `ExtractorError`. */
export function parseAuthentication(of: AuthenticationOf): Authentication {
  const given = fieldOf(of.api, 'authentication');
  const settings = isObject(given) ? given : {};
  const type = fieldOf(settings, 'type');
  if (type === undefined || isEmpty(type)) {
    of.log.debug('Using no authentication.');
    return { authenticate: (request) => Promise.resolve(request) };
  }
  const name = shown(type);
  of.log.debug(`Using '${name}' authentication.`);
  switch (name) {
    case 'basic':
      return basicAuthentication(of.attributes);
    case 'url.query':
      of.log.warning("Method 'url.query' auth is deprecated, use 'query'.");
      return queryAuthentication(settings, of);
    case 'query':
      return queryAuthentication(settings, of);
    case 'login':
      return loginAuthentication(settings, of);
    case 'oauth20':
      return oauth20Authentication(settings, of);
    case 'oauth20.login':
      return oauth20LoginAuthentication(settings, of);
    case 'oauth10':
      throw new ExtractorError("Authentication 'oauth10' (OAuth 1.0) is not offered.");
    default:
      throw new ExtractorError(`Unknown authorization type '${name}'.`);
  }
}
