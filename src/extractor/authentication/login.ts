import type { HttpAnswer, HttpRequest } from '../../ports/http-client.ts';
import { evaluateFields } from '../functions/evaluate.ts';
import { phpTime } from '../functions/php-time.ts';
import type { JobRequest } from '../pagination/scroller.ts';
import { bodyText, decodeBody } from '../requests/decode.ts';
import { headerTexts, mergedHeaders, parseMethod, withJoinedQuery } from '../requests/request.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isList, isObject, shown, valueAt, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { integerOf, isEmpty, isNumeric, isTruthy, typeOf } from '../values/loose.ts';
import type { Authentication, AuthenticationOf, SendLogin } from './authentication.ts';
import { parseCredentials, parseOAuthData } from './oauth-credentials.ts';

/** Authentication `login`: a request whose answer has what the others need. */
export function loginAuthentication(settings: JsonObject, of: AuthenticationOf): Authentication {
  return new Login(settings, of, { attr: of.attributes });
}

/** Authentication `oauth20.login`: the same, where the request is made of the data of the authorization. */
export function oauth20LoginAuthentication(settings: JsonObject, of: AuthenticationOf): Authentication {
  checkFormat(fieldOf(settings, 'format'));
  checkRequest(settings);
  const { clientId, clientSecret, data } = parseCredentials(of.authorization);
  const consumer = { client_id: clientId, client_secret: clientSecret };
  return new Login(settings, of, { consumer, user: parseOAuthData(data), attr: of.attributes });
}

interface Gained {
  readonly headers: HttpRequest['headers'];
  readonly query: JsonObject;
  /** Seconds since the epoch; undefined: never. */
  readonly expires: number | undefined;
}

/** `expires` 0: a login before each request. */
const alwaysOver = 0;

class Login implements Authentication {
  readonly #settings: JsonObject;
  readonly #of: AuthenticationOf;
  readonly #references: JsonObject;
  readonly #request: JobRequest;
  #gained: Gained | undefined;

  constructor(settings: JsonObject, of: AuthenticationOf, references: JsonObject) {
    this.#settings = settings;
    this.#of = of;
    this.#references = references;
    checkFormat(fieldOf(settings, 'format'));
    this.#request = checkRequest(settings);
    checkExpires(fieldOf(settings, 'expires'));
    this.#evaluated();
  }

  async authenticate(request: HttpRequest, send: SendLogin): Promise<HttpRequest> {
    if (this.#gained === undefined || this.#isOver(this.#gained)) {
      this.#gained = this.#gainedOf(await send(this.#evaluated()));
    }
    const { headers, query } = this.#gained;
    return { ...request, url: withJoinedQuery(request.url, query), headers: mergedHeaders(request.headers, headers) };
  }

  #isOver({ expires }: Gained): boolean {
    return expires !== undefined && this.#seconds() > expires;
  }

  #seconds(): number {
    return Math.floor(this.#of.now() / 1000);
  }

  #evaluated(): JobRequest {
    const evaluation = { references: this.#references, now: this.#of.now() };
    const { params, headers } = this.#request;
    return {
      ...this.#request,
      params: evaluateFields(params, evaluation),
      headers: evaluateFields(headers, evaluation),
    };
  }

  #gainedOf(answer: HttpAnswer): Gained {
    const isText = fieldOf(this.#settings, 'format') === 'text';
    const decoded = isText ? bodyText(answer) : decodeBody(answer).response;
    if (isList(decoded) || decoded === null)
      throw new ExtractorError(
        `The response to the login request should be an object or a scalar value, given "${typeOf(decoded)}".`,
      );
    const response = isObject(decoded) ? decoded : { data: decoded };
    return {
      headers: headerTexts(this.#results(response, 'headers')),
      query: this.#results(response, 'query'),
      expires: this.#expiry(response),
    };
  }

  /** A text that is a path of the response is the value there; what functions have made is none. */
  #results(response: JsonValue, kind: 'headers' | 'query'): JsonObject {
    const apiRequest = fieldOf(this.#settings, 'apiRequest');
    const fields = isObject(apiRequest) ? fieldOf(apiRequest, kind) : undefined;
    if (!isObject(fields)) return {};
    const references = { response, attr: this.#of.attributes };
    const evaluated = evaluateFields(fields, { references, now: this.#of.now() });
    return Object.fromEntries(
      Object.entries(evaluated).map(([name, value]) => [
        name,
        typeof value === 'string' ? (valueAt(response, value) ?? value) : value,
      ]),
    );
  }

  #expiry(response: JsonValue): number | undefined {
    const expires = fieldOf(this.#settings, 'expires');
    const now = this.#seconds();
    if (isNumeric(expires)) return integerOf(expires) > 0 ? now + integerOf(expires) : alwaysOver;
    if (!isObject(expires)) return undefined;
    const told = valueAt(response, shown(fieldOf(expires, 'response')));
    if (told === undefined || told === null) return undefined;
    const time = isNumeric(told) ? integerOf(told) : typeof told === 'string' ? phpTime(told, now) : undefined;
    const end = (time ?? 0) + (isTruthy(fieldOf(expires, 'relative') ?? null) ? now : 0);
    if (time !== undefined && end >= now) return end;
    throw new ExtractorError(`Login authentication returned expiry time before current time: '${shown(told)}'`);
  }
}

function checkFormat(format: JsonValue | undefined): void {
  if (!isEmpty(format) && format !== 'json' && format !== 'text')
    throw new ExtractorError("'format' must be either 'json' or 'text'.");
}

function checkRequest(settings: JsonObject): JobRequest {
  const request = fieldOf(settings, 'loginRequest');
  if (isEmpty(request) || !isObject(request))
    throw new ExtractorError("'loginRequest' is not configured for Login authentication");
  const { endpoint, method, params, headers } = request;
  if (isEmpty(endpoint) || typeof endpoint !== 'string')
    throw new ExtractorError('Request endpoint must be set for the Login authentication method.');
  parseMethod(method);
  return {
    endpoint,
    method,
    params: isObject(params) ? params : {},
    headers: isObject(headers) ? headers : {},
  };
}

function checkExpires(expires: JsonValue | undefined): void {
  if (expires === undefined || isEmpty(expires)) return;
  if (isObject(expires) && !isEmpty(fieldOf(expires, 'response'))) return;
  if (isNumeric(expires)) return;
  throw new ExtractorError(
    "The 'expires' attribute must be either an integer or an array with 'response' key containing a path in the response",
  );
}
