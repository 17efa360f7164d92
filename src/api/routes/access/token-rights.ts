import { componentOf, type ComponentId } from '../../../core/component.ts';
import type { TokenRole, TokenScope } from '../../../core/token.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { CreateTokenBody } from '../../schemas/token-body.ts';

const flags = [
  'canManageBuckets',
  'canManageTokens',
  'canReadAllFileUploads',
  'canPurgeTrash',
  'canCreateJobs',
] as const;

/**
 * What a token that is asked for may do. Refuses one whose role does not give a right that was asked for, or gives one that was denied: it
 * would surprise its holder.
 */
export function tokenScope(body: CreateTokenBody): Exclude<TokenScope, { readonly kind: 'sink' }> {
  const { componentAccess = [], bucketPermissions = {} } = body;
  const { role = componentAccess.length > 0 ? 'limited' : 'admin' } = body;
  for (const flag of flags) {
    const asked = body[flag];
    if (role === 'limited' && flag === 'canManageBuckets') continue;
    const given = givenBy(role, flag);
    if (asked !== undefined && asked !== given) throw notOffered(flag, asked, `is ${given} for role "${role}"`);
  }
  if (Object.keys(bucketPermissions).length > 0)
    throw notOffered('bucketPermissions', bucketPermissions, 'cannot be limited');
  if (role !== 'limited') {
    if (componentAccess.length > 0)
      throw notOffered('componentAccess', componentAccess, `cannot be limited for role "${role}"`);
    return { kind: role };
  }
  const ids = componentAccess.map(componentIdOf);
  return { kind: role, canManageBuckets: body.canManageBuckets ?? false, componentAccess: [...new Set(ids)] };
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
  const message = `invalid value ${JSON.stringify(id.slice(0, 100))} in body.componentAccess: there is no such component`;
  throw new ApiError('invalidPermissions', message);
}

function notOffered(field: string, value: unknown, rule: string): ApiError {
  const shown = JSON.stringify(value).slice(0, 100);
  const message = `invalid value ${shown} for body.${field}: this ${rule}; leave the field out or choose another role`;
  return new ApiError('invalidPermissions', message);
}
