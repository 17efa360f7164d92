import { isCertificateFault } from '../../adapters/certificate-fault.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { isRefused } from '../stores/stores.ts';

const unavailable: ReadonlySet<ErrorCode> = new Set([
  'catalog.unavailable',
  'log.unavailable',
  'log.refused',
  'table.unavailable',
]);

/**
 * True for a failed start that waiting may mend: a server is away, starts, or has no room. A server that refuses the user,
 * the database or a right, or whose certificate is not trusted, was configured wrongly, on this side or on that.
 */
export function isAway(error: unknown): error is MillraceError {
  if (!(error instanceof MillraceError) || !unavailable.has(error.code)) return false;
  return !isRefused(error) && !isCertificateFault(error);
}
