import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';

/** So long an expired token is still listed, for those who wonder why it is refused. */
const shownMs = 7 * 24 * 3_600_000;

/** Removes tokens that expired a week ago: nobody can use them, and they would be kept forever. */
export async function removeExpiredTokens(
  { tokens, clock }: Pick<Parts, 'clock' | 'tokens'>,
  options: Waiting,
): Promise<void> {
  const before = clock.now() - shownMs;
  for (const { id, expiresAt } of await tokens.list(options))
    if (expiresAt !== undefined && Date.parse(expiresAt) < before) await tokens.revoke(id, options);
}
