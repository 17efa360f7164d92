import { isTokenId, type Token } from '../../core/token.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { IssuedToken } from '../store/tokens.ts';

type ChangeTokenParts = Pick<Parts, 'clock' | 'tasks' | 'tokens'>;

/** The token of a path; `token.notFound`. */
export async function tokenOf({ tokens }: Pick<Parts, 'tokens'>, tokenId: string, options: Waiting): Promise<Token> {
  const token = isTokenId(tokenId) ? await tokens.find(tokenId, options) : undefined;
  if (token === undefined) throw noToken(tokenId);
  return token;
}

export interface TokenChange {
  readonly tokenId: string;
  readonly change: Change;
}

/**
 * Gives a token a new text at once. Who may write may refresh everybody's, anybody else their own only. Not that of the root, which is
 * configured, and not that of a sink, whose text nobody knows.
 */
export async function refreshToken(
  parts: ChangeTokenParts,
  { tokenId, caller, change }: TokenChange & { readonly caller: Token },
  options: Waiting,
): Promise<IssuedToken> {
  if (caller.scope.kind !== 'admin' && caller.id !== tokenId)
    throw new MillraceError(
      'input.forbidden',
      `only an admin token can refresh another token than itself, which is "${caller.id}"`,
    );
  const token = await tokenOf(parts, tokenId, options);
  if (isRoot(token)) throw rootIsConfigured('refreshed');
  if (token.scope.kind === 'sink') {
    const { sourceId, sinkId } = token.scope.sink;
    const message = `the token of a sink is not refreshed by hand: disable and enable sink "${sourceId}/${sinkId}", which makes a new one`;
    throw new MillraceError('input.forbidden', message);
  }
  const refreshed = await parts.tasks.alone({ claims: [claimOf(tokenId)], change }, async () => {
    await change.begin({ kind: 'token', tokenId }, options);
    return parts.tokens.refresh(tokenId, new Date(parts.clock.now()).toISOString(), options);
  });
  if (refreshed === undefined) throw noToken(tokenId);
  return refreshed;
}

/** Deletes a token at once. That of a sink too: then its import stops and says so until the sink is disabled and enabled. */
export async function deleteToken(
  parts: Pick<Parts, 'tasks' | 'tokens'>,
  { tokenId, change }: TokenChange,
  options: Waiting,
): Promise<void> {
  if (isRoot(await tokenOf(parts, tokenId, options))) throw rootIsConfigured('deleted');
  await parts.tasks.alone({ claims: [claimOf(tokenId)], change }, async () => {
    await change.begin({ kind: 'token', tokenId }, options);
    await parts.tokens.revoke(tokenId, options);
  });
}

function claimOf(tokenId: string): { readonly key: string; readonly mode: 'exclusive' } {
  return { key: `token ${tokenId}`, mode: 'exclusive' };
}

function isRoot({ id }: Token): boolean {
  return id === '1';
}

function rootIsConfigured(change: string): MillraceError {
  const message = `the root token cannot be ${change} over the API, it is configured: set another MILLRACE_ROOT_TOKEN, or remove its file from the data folder, and start again`;
  return new MillraceError('input.forbidden', message);
}

/** What is no id is not repeated: it may be the text of a token. */
function noToken(tokenId: string): MillraceError {
  const message = isTokenId(tokenId)
    ? `token "${tokenId}" not found in the project`
    : 'token not found in the project: the id of a token is a number, the second one in its text';
  return new MillraceError('token.notFound', message);
}
