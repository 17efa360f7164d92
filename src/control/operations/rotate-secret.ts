import type { SourceKey } from '../../core/ids.ts';
import type { Source, SourceSecret } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { rewriteSource } from '../store/write-document.ts';
import { sourceClaims } from '../tasks/claims.ts';
import { createSecret } from './create-secret.ts';
import { stampNow } from './stamp-now.ts';
import { checkVersionLimit, followingVersion, keepSourceVersion, sourceDefinition } from '../store/version-of.ts';

type RotateSecretParts = Pick<Parts, 'catalog' | 'clock' | 'definitions' | 'random' | 'sendersServed' | 'tasks'>;

export interface SecretRotation {
  readonly key: SourceKey;
  /** How long the secret that is replaced stays valid; 0: not at all. */
  readonly overlapMs: number;
  readonly change: Change;
}

/**
 * Gives a source a new secret inside the request and answers the source as it is then. At most two secrets are valid: one that was still
 * ending when another rotation comes ends at once.
 */
export function rotateSecret(
  parts: RotateSecretParts,
  { key, overlapMs, change }: SecretRotation,
  options: Waiting,
): Promise<Source> {
  return parts.tasks.alone({ claims: sourceClaims(key), change }, async () => {
    const source = await parts.definitions.source(key, options);
    checkVersionLimit(source);
    await change.begin({ kind: 'source', ...key }, options);
    const stamp = stampNow(parts, change.by);
    const version = followingVersion(source.version, sourceDefinition(source), {
      description: 'Rotated secret.',
      stamp,
    });
    const until = overlapMs === 0 ? undefined : parts.clock.now() + overlapMs;
    const after: Source = { ...source, version, secrets: [createSecret(parts), ...ending(source, until)] };
    await keepSourceVersion(parts.catalog, after, options);
    await rewriteSource(parts.catalog, { before: source, after }, options);
    await parts.sendersServed?.(options);
    return after;
  });
}

/** The secret that senders have now, until that time. */
function ending({ secrets: [current] }: Source, validUntil: number | undefined): readonly SourceSecret[] {
  return current === undefined || validUntil === undefined ? [] : [{ text: current.text, validUntil }];
}
