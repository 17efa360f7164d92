import type { Brand } from './brand.ts';
import { MillraceError } from './millrace-error.ts';
import { shortened } from './shortened.ts';

/** Names one catalog, and everything that belongs to it: a UUID that the catalog gets once and keeps. */
export type InstallationId = Brand<string, 'InstallationId'>;

/** Reads a UUID in lower case; anything else is `input.invalid`. */
export function parseInstallationId(text: string): InstallationId {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)) return text as InstallationId;
  const given = JSON.stringify(shortened(text, 100));
  throw new MillraceError(
    'input.invalid',
    `invalid id of an installation: expected a UUID in lower case, given ${given}`,
  );
}
