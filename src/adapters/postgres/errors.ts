import { DatabaseError } from 'pg';
import { type ErrorDetails, isCancellation, messageOf, MillraceError } from '../../core/millrace-error.ts';

/** What the port's errors are called: of the catalog, or of the table store. */
export type UnavailableCode = 'catalog.unavailable' | 'table.unavailable';

/** The SQLSTATE of a failure, for example `23505`; undefined when it did not come from the server. */
export function sqlStateOf(thrown: unknown): string | undefined {
  if (thrown instanceof DatabaseError) return thrown.code;
  return thrown instanceof Error && thrown.cause !== undefined ? sqlStateOf(thrown.cause) : undefined;
}

/** True when the server was there and said no to the user, the database or the rights: the same fails until somebody mends it. */
export function isRefusedByPostgres(thrown: unknown): boolean {
  return /^(28...|3D...|42501)$/.test(sqlStateOf(thrown) ?? '');
}

/**
 * What the driver or the server threw, as an error of the product; a cancellation and a MillraceError come back as they
 * are. All of these may pass without a change of ours, so all are retryable: a lost connection (class 08, 57P), a lost
 * answer (the statement may have happened), too little room (53), a lock or a time limit (40, 55, 57014), and a refused
 * password or a missing right (28, 42501), which somebody mends at the server.
 */
export function fromPostgres(thrown: unknown, code: UnavailableCode, details: ErrorDetails = {}): Error {
  if (thrown instanceof Error && (thrown instanceof MillraceError || isCancellation(thrown))) return thrown;
  const state = sqlStateOf(thrown);
  const message = `PostgreSQL: ${reasonOf(thrown, state)}`;
  return new MillraceError(code, message, { cause: thrown, details: { ...details, sqlState: state } });
}

function reasonOf(thrown: unknown, state: string | undefined): string {
  const text = messageOf(thrown);
  switch (state?.slice(0, 2)) {
    case undefined:
      return text;
    case '28':
      return `the server refuses the user or the password (${text}); correct the URL or the server's user`;
    case '3D':
      return `the database is not there (${text}); create it or correct the URL`;
    case '53':
      return `the server has no room (${text}); look at its disk, memory and max_connections`;
    default:
      return state === '42501' ? `a right is missing (${text}); grant it to the user of the URL` : `${text} (${state})`;
  }
}
