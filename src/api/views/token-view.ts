import { z } from 'zod';
import type { By } from '../../core/source.ts';
import type { Token, TokenScope } from '../../core/token.ts';
import type { IssuedToken } from '../../control/store/tokens.ts';

export const tokenSchema = z
  .object({
    id: z.string(),
    description: z.string(),
    created: z.iso.datetime(),
    refreshed: z.iso.datetime().nullable(),
    isMasterToken: z.boolean(),
    canManageBuckets: z.boolean(),
    canManageTokens: z.boolean(),
    canReadAllFileUploads: z.boolean(),
    canPurgeTrash: z.boolean(),
    canCreateJobs: z.boolean(),
    expires: z.iso.datetime().nullable(),
    isExpired: z.boolean(),
    isDisabled: z.boolean(),
    bucketPermissions: z.record(z.string(), z.enum(['read', 'write', 'manage'])),
    componentAccess: z.array(z.string()),
    creatorToken: z
      .object({ id: z.string(), description: z.string() })
      .optional()
      .meta({ description: 'Absent for what the product made itself.' }),
    admin: z
      .object({
        id: z.int(),
        name: z.string(),
        role: z.enum(['admin', 'readOnly', 'limited']),
        features: z.array(z.string()),
      })
      .optional(),
  })
  .meta({ id: 'Token' });

export const verifiedTokenSchema = tokenSchema
  .extend({
    owner: z.object({
      id: z.int(),
      name: z.string(),
      type: z.string(),
      features: z.array(z.string()),
      defaultBackend: z.string(),
    }),
  })
  .meta({ id: 'VerifiedToken' });

export const issuedTokenSchema = tokenSchema
  .extend({ token: z.string().meta({ description: 'Its text, shown this once and kept nowhere.' }) })
  .meta({ id: 'IssuedToken' });

export type TokenView = z.input<typeof tokenSchema>;

/** A token as the storage interface shows it, without its text. */
export function tokenView(token: Token, now: number): TokenView {
  const { id, description, created, refreshedAt, scope, expiresAt } = token;
  const isAdmin = scope.kind === 'admin';
  const isSink = scope.kind === 'sink';
  const limited = scope.kind === 'limited' ? scope : undefined;
  return {
    id,
    description,
    created: created.at,
    refreshed: refreshedAt ?? null,
    isMasterToken: isAdmin,
    canManageBuckets: isAdmin || limited?.canManageBuckets === true,
    canManageTokens: isAdmin,
    canReadAllFileUploads: isSink ? scope.canReadAllFileUploads : (limited?.canManageBuckets ?? true),
    canPurgeTrash: isAdmin,
    canCreateJobs: isAdmin || limited !== undefined,
    expires: expiresAt ?? null,
    isExpired: expiresAt !== undefined && Date.parse(expiresAt) <= now,
    isDisabled: false,
    bucketPermissions: rightsOn(scope),
    componentAccess: [...(limited?.componentAccess ?? [])],
    ...creatorOf(created.by),
    ...(isSink ? {} : { admin: { id: Number(id), name: description, role: scope.kind, features: [] } }),
  };
}

function rightsOn(scope: TokenScope): TokenView['bucketPermissions'] {
  const may = (buckets: readonly string[], right: 'read' | 'write') => buckets.map((id) => [id, right] as const);
  switch (scope.kind) {
    case 'limited':
      return Object.fromEntries([...may(scope.readBuckets, 'read'), ...may(scope.writeBuckets, 'write')]);
    case 'sink':
      return Object.fromEntries(may(scope.writeBuckets, 'write'));
    case 'admin':
    case 'readOnly':
      return {};
    default:
      return scope satisfies never;
  }
}

function creatorOf({ tokenId, tokenDesc = '' }: By): Pick<TokenView, 'creatorToken'> {
  return tokenId === undefined ? {} : { creatorToken: { id: tokenId, description: tokenDesc } };
}

/** A token that was just made or refreshed, with its text. */
export function issuedTokenView({ token, text }: IssuedToken, now: number): z.input<typeof issuedTokenSchema> {
  return { ...tokenView(token, now), token: text };
}

/** The token of a call, with the project that it belongs to. */
export function verifiedTokenView(
  token: Token,
  { projectId, now }: { readonly projectId: number; readonly now: number },
): z.input<typeof verifiedTokenSchema> {
  const owner = {
    id: projectId,
    name: `project ${projectId}`,
    type: 'production',
    features: [],
    defaultBackend: 'millrace',
  };
  return { ...tokenView(token, now), owner };
}
