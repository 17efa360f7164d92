import type { HttpAnswer, HttpRequest } from '../../ports/http-client.ts';
import type { JobRequest } from '../pagination/scroller.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import type { JsonObject, JsonValue } from '../values/json-value.ts';

/** Sends a request that logs in, with the headers and retries of all requests; the answer is a good one. */
export type SendLogin = (request: JobRequest) => Promise<HttpAnswer>;

/** How a request shows who sends it. */
export interface Authentication {
  /** The request as it is sent. */
  authenticate(request: HttpRequest, login: SendLogin): Promise<HttpRequest>;
}

export interface AuthenticationOf {
  readonly api: JsonObject;
  /** `config` without its jobs. */
  readonly attributes: JsonObject;
  /** What stands beside `parameters`. */
  readonly authorization: JsonValue | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: ExtractorLog;
}
