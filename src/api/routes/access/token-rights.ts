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
 * Refuses a token whose role does not give a right that was asked for, or gives one that was denied: it would surprise
 * its holder.
 */
export function checkTokenRights(body: CreateTokenBody): void {
  const { role = 'admin' } = body;
  for (const flag of flags) {
    const given = role === 'admin' || flag === 'canReadAllFileUploads';
    if (body[flag] !== undefined && body[flag] !== given) throw notOffered(flag, body[flag], `is ${given} for it`);
  }
  for (const field of ['bucketPermissions', 'componentAccess'] as const) {
    const asked = body[field];
    if (asked !== undefined && Object.keys(asked).length > 0) throw notOffered(field, asked, 'cannot be limited');
  }
}

function notOffered(field: string, value: unknown, rule: string): ApiError {
  const shown = JSON.stringify(value).slice(0, 100);
  const message = `invalid value ${shown} for body.${field}: a token has role "admin" or "readOnly", and this ${rule}; leave the field out and choose a role`;
  return new ApiError('invalidPermissions', message);
}
