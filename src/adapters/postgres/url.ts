import { MillraceError } from '../../core/millrace-error.ts';
import type { HiddenText } from '../hidden-text.ts';

export interface PostgresPlace {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: HiddenText;
  readonly database: string;
}

/**
 * The parts of `postgres://user:password@host:port/database`. `config.invalid`, without the URL in its message. Parameters
 * are refused: of `sslmode` the driver makes a connection without a checked certificate.
 */
export function parsePostgresUrl(url: HiddenText): PostgresPlace {
  const parsed = URL.parse(url.reveal());
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw invalid('is not postgres://user:password@host:port/database');
  if (parsed.search !== '') throw invalid('has parameters after a "?"; TLS and time limits have settings of their own');
  const database = decode(parsed.pathname.slice(1));
  if (parsed.hostname === '') throw invalid('has no host');
  if (parsed.username === '') throw invalid('has no user');
  if (database === '') throw invalid('has no database after the host');
  return {
    host: decode(parsed.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: parsed.port === '' ? 5432 : Number(parsed.port),
    user: decode(parsed.username),
    password: { reveal: () => decode(parsed.password) },
    database,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('has a "%" that is not followed by two hexadecimal digits; write it as %25');
  }
}

function invalid(what: string): MillraceError {
  return new MillraceError('config.invalid', `the URL of PostgreSQL ${what}`);
}
