import type { HiddenText } from '../hidden-text.ts';

/** How a MongoDB is reached. */
export interface MongodbServerOptions {
  /**
   * `mongodb://user:password@host:port,host:port/?replicaSet=name` or `mongodb+srv://…`; `tls=true` for TLS, always
   * with checked certificates.
   */
  readonly url: HiddenText;
  /** Default `millrace`. */
  readonly database?: string;
  /** PEM file of the authorities that are trusted; its presence means TLS. */
  readonly caFile?: string | undefined;
  /** Shown in the server's log. Default `millrace`. */
  readonly applicationName?: string;
  /** Of this client; what needs one more waits. Default 20. */
  readonly maxConnections?: number;
  /** How long finding the primary, and a new connection, may take. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** An operation without an answer of a majority is given up after so long. Default 15 s. */
  readonly operationTimeoutMs?: number;
}

/** Pages of a list hold at most so many documents. */
export const pageLength = 500;

/** An answer of the server holds 16 MiB; a page that ends before its length is the last only below this. */
export const answerBytes = 16 * 1024 * 1024;
