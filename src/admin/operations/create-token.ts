import { limits } from '../../core/limits.ts';
import type { By } from '../../core/source.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { ApiError } from '../errors/api-error.ts';
import type { CreateTokenBody, TokenRole } from '../schemas/token-body.ts';
import type { IssuedToken } from '../store/tokens.ts';
import { stampNow } from './stamp-now.ts';

const flags = [
  'canManageBuckets',
  'canManageTokens',
  'canReadAllFileUploads',
  'canPurgeTrash',
  'canCreateJobs',
] as const;

/** Makes a token for a person or a program; `invalidPermissions` for a right that no role has, `tokenCountLimitReached`. */
export async function createToken(
  context: AdminContext,
  { body, by }: { readonly body: CreateTokenBody; readonly by: By },
  options: Waiting,
): Promise<IssuedToken> {
  const { role = 'admin', description = '', expiresIn } = body;
  checkRights(body, role);
  const { tasks, tokens } = context;
  // One at a time, or all of them would find room for one more.
  return tasks.serial.run('create token', () =>
    tasks.alone([], async () => {
      await checkCount(context, options);
      const created = stampNow(context, by);
      const expiresAt = expiresIn === undefined ? {} : { expiresAt: later(created.at, expiresIn) };
      return tokens.issue({ description, scope: { kind: role }, created, ...expiresAt }, options);
    }),
  );
}

function later(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString();
}

/** A right that is asked for and not given, or refused and given all the same, would surprise its holder. */
function checkRights(body: CreateTokenBody, role: TokenRole): void {
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

async function checkCount({ tokens, clock }: AdminContext, options: Waiting): Promise<void> {
  const now = clock.now();
  const alive = (await tokens.list(options)).filter(
    ({ scope, expiresAt }) => scope.kind !== 'sink' && (expiresAt === undefined || Date.parse(expiresAt) > now),
  );
  if (alive.length < limits.tokens) return;
  const message = `token count limit reached: the project has ${alive.length} tokens, the maximum is ${limits.tokens}; delete those that nobody uses`;
  throw new ApiError('tokenCountLimitReached', message);
}
