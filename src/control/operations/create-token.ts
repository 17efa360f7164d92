import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TokenScope } from '../../core/token.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import type { IssuedToken } from '../store/tokens.ts';
import { stampNow } from './stamp-now.ts';

type CreateTokenParts = Pick<Parts, 'clock' | 'tasks' | 'tokens'>;

export interface TokenCreation {
  readonly scope: Exclude<TokenScope, { readonly kind: 'sink' }>;
  readonly description: string;
  /** Seconds; absent: it does not expire. */
  readonly expiresIn?: number | undefined;
  readonly change: Change;
}

/** Makes a token for a person or a program; `token.tooMany`. */
export async function createToken(
  parts: CreateTokenParts,
  { scope, description, expiresIn, change }: TokenCreation,
  options: Waiting,
): Promise<IssuedToken> {
  const { tasks, tokens } = parts;
  // One at a time, or all of them would find room for one more.
  return tasks.serial.run('create token', () =>
    tasks.alone({ claims: [], change }, async () => {
      await checkCount(parts, options);
      await change.begin(undefined, options);
      const created = stampNow(parts, change.by);
      const expiresAt = expiresIn === undefined ? {} : { expiresAt: later(created.at, expiresIn) };
      const issued = await tokens.issue({ description, scope, created, ...expiresAt }, options);
      change.made({ kind: 'token', tokenId: issued.token.id });
      return issued;
    }),
  );
}

function later(at: string, seconds: number): string {
  return new Date(Date.parse(at) + seconds * 1000).toISOString();
}

async function checkCount({ tokens, clock }: Pick<Parts, 'clock' | 'tokens'>, options: Waiting): Promise<void> {
  const now = clock.now();
  const alive = (await tokens.list(options)).filter(
    ({ scope, expiresAt }) => scope.kind !== 'sink' && (expiresAt === undefined || Date.parse(expiresAt) > now),
  );
  if (alive.length < limits.tokens) return;
  const message = `token count limit reached: the project has ${alive.length} tokens, the maximum is ${limits.tokens}; delete those that nobody uses`;
  throw new MillraceError('token.tooMany', message);
}
