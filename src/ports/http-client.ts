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

/** Why there is no answer, by the numbers that configurations name in `curl.codes`. */
export type NoAnswer = 'timeout' | 'unresolved' | 'unconnected' | 'tls' | 'empty' | 'broken';

/**
 * Sends requests to the APIs of others. Follows redirects; never connects to an address that the operator does not allow,
 * and never reads more than its limits.
 */
export interface HttpClient {
  /**
   * The answer to one request, whatever its status. Without one `http.noAnswer`, which carries a `NoAnswer`; `http.refused` when the
   * address may not be asked; `http.tooLarge` when the answer goes beyond a limit. `waiting.signal` ends it at once.
   */
  send(request: HttpRequest, waiting: Waiting): Promise<HttpAnswer>;
}
