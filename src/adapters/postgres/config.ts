import type { HiddenText } from '../hidden-text.ts';

/** How a PostgreSQL server is reached. */
export interface PostgresServerOptions {
  /** `postgres://user:password@host:port/database`, special characters percent-encoded; it has no parameters. */
  readonly url: HiddenText;
  /** Absent: plain text. Present: TLS, and the certificate and its host name are always checked. */
  readonly tls?: PostgresTls | undefined;
  /** Shown in `pg_stat_activity`. Default `millrace`. */
  readonly applicationName?: string;
  /** Of this client; what needs one more waits. Default 10. */
  readonly maxConnections?: number;
  /** How long a new connection, or a free one, may take. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** The server gives a statement up after so long. Default 30 s; 0: never. */
  readonly statementTimeoutMs?: number;
  /** A transaction whose client says nothing for so long is rolled back, with its locks. Default 60 s. */
  readonly idleTransactionTimeoutMs?: number;
}

export interface PostgresTls {
  /** PEM file of the authorities that are trusted; absent: the public ones. */
  readonly caFile?: string | undefined;
  /** PEM files of the client's own certificate, for servers that ask for one. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** The oldest server that is served: 14, the first that notices in the middle of a statement that its client has gone. */
export const oldestServerVersion = 140_000;

/**
 * How much longer than the server's own time-out a statement without an answer is waited for: after that the network is
 * cut.
 */
export const answerGraceMs = 5000;
