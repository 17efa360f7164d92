import { MillraceError } from '../core/millrace-error.ts';

/** True when one document is the reason: this release cannot read it, or may not change it. All others are as good as ever. */
export function isUnusable(thrown: unknown): boolean {
  if (!(thrown instanceof MillraceError)) return false;
  return thrown.code === 'catalog.newerDocument' || thrown.code === 'catalog.invalidDocument';
}
