import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';

/** So long an expired token is still listed, for those who wonder why it is refused. */
const shownMs = 7 * 24 * 3_600_000;

/** Removes tokens that expired a week ago: nobody can use them, and they would be kept forever. */
export async function removeExpiredTokens(
  { tokens, clock }: Pick<AdminContext, 'tokens' | 'clock'>,
  options: Waiting,
): Promise<void> {
  const before = clock.now() - shownMs;
  for (const { id, expiresAt } of await tokens.list(options))
    if (expiresAt !== undefined && Date.parse(expiresAt) < before) await tokens.revoke(id, options);
}
