import { componentOf, type ComponentId } from '../../../core/component.ts';
import { isSameBucket } from '../../../core/bucket.ts';
import { nearestOf } from '../../../core/nearest-of.ts';
import type { TokenRole, TokenScope } from '../../../core/token.ts';
import { ApiError } from '../../errors/api-error.ts';
import { maxNamed, type CreateTokenBody } from '../../schemas/token-body.ts';

const flags = [
  'canManageBuckets',
  'canManageTokens',
  'canReadAllFileUploads',
  'canPurgeTrash',
  'canCreateJobs',
] as const;

/**
 * What a token that is asked for may do, when there are these buckets. Refuses one whose role does not give a right that was asked for, or
 * gives one that was denied: it would surprise its holder.
 */
export function tokenScope(
  body: CreateTokenBody,
  buckets: readonly string[],
): Exclude<TokenScope, { readonly kind: 'sink' }> {
  const { componentAccess = [], bucketPermissions = {} } = body;
  const namesSome = componentAccess.length > 0 || Object.keys(bucketPermissions).length > 0;
  const { role = namesSome ? 'limited' : 'admin' } = body;
  for (const flag of flags) {
    const asked = body[flag];
    if (role === 'limited' && flag === 'canManageBuckets') continue;
    const given = givenBy(role, flag);
    if (asked !== undefined && asked !== given) throw notOffered(flag, asked, `is ${given} for role "${role}"`);
  }
  if (role !== 'limited') {
    if (componentAccess.length > 0)
      throw notOffered('componentAccess', componentAccess, `cannot be limited for role "${role}"`);
    if (Object.keys(bucketPermissions).length > 0)
      throw notOffered('bucketPermissions', bucketPermissions, `cannot be limited for role "${role}"`);
    return { kind: role };
  }
  const { canManageBuckets = false } = body;
  if (canManageBuckets && Object.keys(bucketPermissions).length > 0)
    throw notOffered('bucketPermissions', bucketPermissions, 'says nothing beside "canManageBuckets"');
  return {
    kind: role,
    canManageBuckets,
    componentAccess: [...new Set(componentAccess.map(componentIdOf))],
    ...rightsOn(Object.entries(bucketPermissions), buckets),
  };
}

type BucketRights = Pick<Extract<TokenScope, { readonly kind: 'limited' }>, 'readBuckets' | 'writeBuckets'>;

/** By the ids of buckets as they are: one that is not there was mistyped, and whoever made it later would share it unasked. */
function rightsOn(asked: readonly (readonly [string, unknown])[], buckets: readonly string[]): BucketRights {
  if (asked.length > maxNamed)
    throw invalid(`body.bucketPermissions names ${asked.length} buckets, the maximum is ${maxNamed}`);
  const rights = new Map<string, 'read' | 'write'>();
  for (const [id, right] of asked) {
    const shown = JSON.stringify(id.slice(0, 100));
    if (right !== 'read' && right !== 'write') {
      const value = JSON.stringify(right).slice(0, 100);
      throw invalid(
        `invalid value ${value} for ${shown} in body.bucketPermissions: the right on a bucket is "read" or "write"`,
      );
    }
    const found = buckets.find((one) => isSameBucket(one, id));
    if (found === undefined) {
      const nearest = nearestOf(id.slice(0, 200), buckets);
      const advice = nearest === undefined ? 'create it first' : `did you mean "${nearest}"?`;
      throw invalid(`invalid value ${shown} in body.bucketPermissions: there is no such bucket; ${advice}`);
    }
    if (rights.has(found)) throw invalid(`body.bucketPermissions names the bucket "${found}" twice`);
    rights.set(found, right);
  }
  const having = (wanted: string): readonly string[] =>
    [...rights].flatMap(([id, right]) => (right === wanted ? [id] : []));
  return { readBuckets: having('read'), writeBuckets: having('write') };
}

function givenBy(role: TokenRole, flag: (typeof flags)[number]): boolean {
  return (
    role === 'admin' ||
    (role === 'readOnly' && flag === 'canReadAllFileUploads') ||
    (role === 'limited' && flag === 'canCreateJobs')
  );
}

function componentIdOf(id: string): ComponentId {
  const component = componentOf(id);
  if (component !== undefined) return component.id;
  throw invalid(
    `invalid value ${JSON.stringify(id.slice(0, 100))} in body.componentAccess: there is no such component`,
  );
}

function notOffered(field: string, value: unknown, rule: string): ApiError {
  const shown = JSON.stringify(value).slice(0, 100);
  return invalid(`invalid value ${shown} for body.${field}: this ${rule}; leave the field out or choose another role`);
}

function invalid(message: string): ApiError {
  return new ApiError('invalidPermissions', message);
}
