import type { IssuedTokenShape, TokenShape } from '../api-shapes.ts';
import { printFields, printJson, say } from '../print.ts';
import type { Terminal } from '../terminal.ts';

/** What the token may do, in a few words. */
export function roleOf({ admin, bucketPermissions, canManageBuckets, componentAccess }: TokenShape): string {
  if (admin?.role === 'limited' && canManageBuckets) return 'limited to buckets and components';
  if (admin?.role === 'limited') {
    const buckets = Object.entries(bucketPermissions).map(([id, right]) => `${id} (${right})`);
    const named = [...componentAccess, ...buckets];
    return named.length === 0 ? 'limited' : `limited to ${named.join(', ')}`;
  }
  return admin?.role ?? `writes ${Object.keys(bucketPermissions).join(', ')}`;
}

/** A token with its text, which is shown this once. */
export function printIssued(terminal: Terminal, token: IssuedTokenShape, json: boolean): void {
  if (json) return printJson(terminal, token);
  const { id, description, expires, token: text } = token;
  printFields(terminal, { id, description, role: roleOf(token), expires: expires ?? 'never', token: text });
  if (terminal.human) say(terminal, '\nKeep the token: it is shown this once. Commands take it from MILLRACE_TOKEN.');
}
