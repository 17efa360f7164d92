import type { IncomingHttpHeaders } from 'node:http';
import type { By } from '../../core/source.ts';
import { componentOf, type ComponentId } from '../../core/component.ts';
import { bucketOf, type BucketId } from '../../core/bucket.ts';
import {
  mayManageBuckets,
  mayReadComponent,
  mayReadTables,
  mayWriteComponent,
  mayWriteTables,
  type Token,
} from '../../core/token.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Clock } from '../../core/clock.ts';
import type { TokenStore } from '../../control/store/tokens.ts';
import { ApiError } from '../errors/api-error.ts';
import { noAccess } from '../errors/no-access.ts';
import type { Access } from '../route/route.ts';

/** Longest token text that is looked at. */
const maxTokenLength = 500;

/** The token of a call: `X-StorageApi-Token`, else `Authorization: Bearer`; what stands before a blank is a scheme. */
export function tokenText(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-storageapi-token'];
  const given = typeof own === 'string' && own !== '' ? own : bearer(headers.authorization);
  if (given === undefined) return undefined;
  return given.slice(given.lastIndexOf(' ') + 1);
}

function bearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^Bearer\s+(\S.*)$/i.exec(authorization)?.[1]?.trim();
}

/** Who calls: somebody who may, or the refusal that the call ends with once its shape is found right. */
export type Identity =
  | { readonly kind: 'known'; readonly token: Token | undefined }
  | { readonly kind: 'unknown'; readonly refusal: ApiError };

interface Calling {
  readonly headers: IncomingHttpHeaders;
  readonly access: Access;
  /** Of the path: a component by its id or alias, a bucket, a table; whatever stands there. */
  readonly params: Readonly<Partial<Record<string, string | readonly string[]>>>;
}

interface Authenticating {
  readonly tokens: TokenStore;
  readonly clock: Clock;
}

/** Looks at the token; a missing or wrong one is 401, one without the right 403 (A13). Rejects when the catalog is away. */
export async function identify(parts: Authenticating, call: Calling, options: Waiting): Promise<Identity> {
  try {
    return { kind: 'known', token: await authenticate(parts, call, options) };
  } catch (thrown) {
    if (thrown instanceof ApiError) return { kind: 'unknown', refusal: thrown };
    throw thrown;
  }
}

async function authenticate(
  { tokens, clock }: Authenticating,
  { headers, access, params }: Calling,
  options: Waiting,
): Promise<Token | undefined> {
  if (access === 'public') return undefined;
  const text = tokenText(headers);
  if (text === undefined) {
    const message = 'access token must be set: send it as "X-StorageApi-Token" or as "Authorization: Bearer"';
    throw new ApiError('missingToken', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  const token = text.length > maxTokenLength ? undefined : await tokens.authenticate(text, clock.now(), options);
  if (token === undefined)
    throw new ApiError('invalidToken', 'invalid access token', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    });
  if (!isAllowed(token, access, params)) throw new ApiError('forbidden', forbiddenMessage(token, access));
  return token;
}

function isAllowed(token: Token, access: Access, params: Calling['params']): boolean {
  const { scope } = token;
  switch (access) {
    case 'public':
    case 'token':
      return true;
    case 'read':
      return scope.kind === 'admin' || scope.kind === 'readOnly';
    case 'write':
      return scope.kind === 'admin';
    case 'readTables':
      return mayReadTables(token, bucketIn(params));
    case 'writeTables':
      return mayWriteTables(token, bucketIn(params));
    case 'manageBuckets':
      return mayManageBuckets(token);
    case 'readComponent':
      return mayReadComponent(token, componentIn(params));
    case 'writeComponent':
      return mayWriteComponent(token, componentIn(params));
    default:
      return access satisfies never;
  }
}

/** One that is not there is found to be missing later, by who may look. */
function componentIn({ componentId }: Calling['params']): ComponentId | undefined {
  return typeof componentId === 'string' ? componentOf(componentId)?.id : undefined;
}

/** What can be no id is that of no bucket, on which nobody has a right of its own. */
function bucketIn({ bucketId, tableId }: Calling['params']): BucketId | undefined {
  const id = bucketId ?? tableId;
  return typeof id === 'string' ? bucketOf(id as BucketId) : undefined;
}

/** A refused caller learns of it before anything else is looked at. */
export function refusesFirst(access: Access): boolean {
  return access === 'readComponent' || access === 'writeComponent';
}

function forbiddenMessage({ scope }: Token, access: Access): string {
  if (scope.kind === 'sink') return 'the token of a sink only lets its imports work, it cannot call this endpoint';
  return access === 'write' ? 'only admin token can do write operations on streams' : noAccess;
}

/** The token of a caller that may; throws the refusal otherwise. */
export function permitted(caller: Identity): Token | undefined {
  if (caller.kind === 'unknown') throw caller.refusal;
  return caller.token;
}

/** Who acts, as documents keep it. */
export function byOf(token: Token | undefined): By {
  return token === undefined ? { type: 'system' } : { type: 'user', tokenId: token.id, tokenDesc: token.description };
}
