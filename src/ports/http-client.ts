import type { Waiting } from './waiting.ts';

/** What goes over the wire. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute, http or https. */
  readonly url: string;
  /** Names as they are written. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; values of one name that came several times are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body without its content coding, whole. */
  readonly body: Uint8Array;
  /** The address that answered, after redirects. */
  readonly url: string;
}

/**
 * Why there is no answer, by the numbers that configurations name in `curl.codes`: 28, 6, 7, 35, 60, 52, 56. A certificate that is not
 * trusted is no failure of TLS: trying again does not help.
 */
export type NoAnswer = 'timeout' | 'unresolved' | 'unconnected' | 'tls' | 'untrusted' | 'empty' | 'broken';

/**
 * Sends requests to the APIs of others. Follows redirects, without what identifies the sender where they lead to another origin; never
 * connects to an address that the operator does not allow, and never reads more than its limits. Uses no proxy.
 */
export interface HttpClient {
  /**
   * The answer to one request, whatever its status. Without one `http.noAnswer`, whose `details.why` is a `NoAnswer`; `http.refused` when
   * the address may not be asked, or where a redirect may not be followed; `http.tooLarge` when the answer goes beyond a limit.
   * `waiting.signal` ends it at once.
   */
  send(request: HttpRequest, waiting: Waiting): Promise<HttpAnswer>;
}

/** What the configuration of an extraction says of its connections. */
export interface HttpSettings {
  /** Until a connection is there, its name resolved and TLS agreed on. Default 30 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** From sending until the last byte of the answer, with all redirects. Default 300 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** PEM text of authorities that are trusted besides the public ones. */
  readonly authorities?: string | undefined;
  /** PEM text of a certificate and its key, by which servers know the sender. */
  readonly clientCertificate?: string | undefined;
}

/** Keeps connections until it is disposed of. `input.invalid` for a PEM text that is none. */
export type OpenHttpClient = (settings: HttpSettings) => HttpClient & AsyncDisposable;
