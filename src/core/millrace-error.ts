import { errorCatalogue, type ErrorCode } from './error-catalogue.ts';

/** What may be shown to a user or written to a log: never a secret, never a body. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | undefined>>;

export interface ErrorOptionsOf {
  readonly cause?: unknown;
  readonly details?: ErrorDetails;
}

/**
 * The one error type of the product. `code` stands in the catalogue with its cause and what the operator does;
 * `retryable` says whether the same call may succeed later without anybody changing anything.
 */
export class MillraceError extends Error {
  override readonly name = 'MillraceError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: ErrorOptionsOf = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = errorCatalogue[code].retryable;
    this.details = options.details ?? {};
  }

  /** The only way from a catch into the product's errors. A MillraceError comes back as it is. */
  static fromUnknown(thrown: unknown, code: ErrorCode = 'internal.bug'): MillraceError {
    if (thrown instanceof MillraceError) return thrown;
    const message = messageOf(thrown);
    return new MillraceError(code, message, { cause: thrown });
  }
}

/**
 * What was thrown, in words. A refused connection to a name with several addresses is an AggregateError without a message of
 * its own.
 */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(messageOf).join(', ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** True for the rejection of an aborted signal. A cancellation is not a failure: not logged, not wrapped, not retried. */
export function isCancellation(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'TimeoutError');
}
