import { z } from 'zod';
import { parseInstallationId, type InstallationId } from './installation-id.ts';
import { MillraceError } from './millrace-error.ts';
import { parseJsonText } from './parse-json-text.ts';

const schema = z.object({ installation: z.string() });

/** What a store that holds bytes keeps as its mark, UTF-8. */
export function installationMark(installation: InstallationId): string {
  return `${JSON.stringify({ installation })}\n`;
}

/** Whose mark it is. `installation.unmarked` for anything else; `place` names for people where it stands. */
export function parseInstallationMark(mark: string, place: string): InstallationId {
  try {
    return parseInstallationId(schema.parse(parseJsonText(mark)).installation);
  } catch (thrown) {
    throw damagedMark(`${place} does not name an installation`, thrown);
  }
}

/** A mark that says nothing: the store is nobody's until somebody puts that right. */
export function damagedMark(what: string, cause?: unknown): MillraceError {
  const message = `${what}: restore it, or remove it and run "millrace claim"`;
  return new MillraceError('installation.unmarked', message, { cause });
}
