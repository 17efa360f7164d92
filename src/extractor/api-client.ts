import { STATUS_CODES } from 'node:http';
import type { Clock } from '../core/clock.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { HttpAnswer, HttpClient, HttpRequest, NoAnswer } from '../ports/http-client.ts';
import type { Authentication } from './authentication/authentication.ts';
import type { Budget } from './budget.ts';
import type { CheckAddress } from './configuration/allowed-hosts.ts';
import type { ApiSettings } from './configuration/parse-api.ts';
import type { JobRequest } from './pagination/scroller.ts';
import { bodyText, decodeBody, decodeIgnored, type DecodedAnswer } from './requests/decode.ts';
import { deepMerge } from './requests/deep-merge.ts';
import { headerTexts, httpRequest, mergedHeaders, withoutUser } from './requests/request.ts';
import { answeredAt, delayBefore } from './requests/retries.ts';
import { ExtractorError } from './values/extractor-error.ts';
import type { ExtractorLog } from './values/extractor-log.ts';
import { isObject } from './values/json-value.ts';

export interface ApiClientOptions {
  readonly http: HttpClient;
  readonly api: ApiSettings;
  readonly authentication: Authentication;
  readonly checkAddress: CheckAddress;
  readonly budget: Budget;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: ExtractorLog;
  readonly signal: AbortSignal;
}

/** Why there was no answer, by the numbers of curl that configurations know. */
const curlNumbers: Readonly<Record<NoAnswer, number>> = {
  unresolved: 6,
  unconnected: 7,
  timeout: 28,
  tls: 35,
  empty: 52,
  broken: 56,
  untrusted: 60,
};

/** Asks the API of one iteration: with its headers, its authentication and its retries, within the limits of the run. */
export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /** The decoded answer to the request of a job. What it ends with otherwise is an `ExtractorError`. */
  async ask(job: JobRequest): Promise<DecodedAnswer> {
    const { authentication } = this.#options;
    const plain = this.#withHeaders(withDefaults(job, this.#options.api.defaultOptions));
    const login = (request: JobRequest): Promise<HttpAnswer> => {
      const own = this.#withHeaders(request);
      return this.#good(own, () => Promise.resolve(own));
    };
    const answer = await this.#good(plain, () => authentication.authenticate(plain, login));
    if (!this.#isIgnored(answer)) return decodeBody(answer);
    return decodeIgnored(answer, ({ message }) => this.#options.log.warning(`Failed to parse response ${message}`));
  }

  #withHeaders(job: JobRequest): HttpRequest {
    const { baseUrl, headers } = this.#options.api;
    return httpRequest({ ...job, headers: mergedHeaders(headers, headerTexts(job.headers)) }, baseUrl);
  }

  #isIgnored({ status }: HttpAnswer): boolean {
    return this.#options.api.ignoreErrors.has(status);
  }

  /**
   * An answer whose status is no error, or one that is ignored. `shown` is the request without what identifies the sender: messages show
   * it; `made` makes what is sent, for each try anew.
   */
  async #good(shown: HttpRequest, made: () => Promise<HttpRequest>): Promise<HttpAnswer> {
    const { api, budget, checkAddress, log, signal } = this.#options;
    for (let retry = 1; ; retry += 1) {
      signal.throwIfAborted();
      budget.checkTime();
      // What identifies the sender is in the query and the headers, so this is the address that is asked.
      checkAddress(shown.url);
      const answer = await this.#answer(await made());
      const isLast = retry > api.retries.most;
      if (answer instanceof NoAnswerError) {
        if (isLast || !api.retries.failures.has(answer.curlNumber)) throw answer;
        await this.#wait(retry, {});
        continue;
      }
      if (!isLast && api.retries.statuses.has(answer.status)) {
        await this.#wait(retry, answer.headers);
        continue;
      }
      if (answer.status < 400) return answer;
      const text = failureText(shown, answer);
      if (!this.#isIgnored(answer)) throw new ExtractorError(`The API request failed: [${answer.status}] ${text}`);
      log.warning(`Failed to get response ${text}`);
      return answer;
    }
  }

  /** The answer, or why there is none. */
  async #answer(request: HttpRequest): Promise<HttpAnswer | NoAnswerError> {
    const { http, budget, log, signal } = this.#options;
    const { origin, pathname } = new URL(request.url);
    log.debug(`Sending ${request.method} ${origin}${pathname}`);
    try {
      const answer = await http.send(request, { signal });
      budget.takeBytes(answer.body.length);
      log.debug(`Received ${answer.status} with ${answer.body.length} bytes from ${origin}${pathname}`);
      return answer;
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof MillraceError)) throw thrown;
      const { code } = thrown;
      if (code === 'http.noAnswer') return new NoAnswerError(thrown);
      if (code === 'http.refused' || code === 'http.tooLarge' || code === 'input.invalid')
        throw new ExtractorError(`The API request failed: ${thrown.message}`);
      throw thrown;
    }
  }

  /** `headers` of the answer, where there is one. */
  async #wait(retry: number, headers: HttpAnswer['headers']): Promise<void> {
    const { api, budget, clock, log, random, signal } = this.#options;
    const after = headers[api.retries.header];
    const now = answeredAt(headers['date'], clock.now());
    const delayMs = delayBefore({ retry, after, now, random: random() });
    budget.checkTime(delayMs);
    log.debug(`Http request failed, retrying in ${(delayMs / 1000).toFixed(1)} seconds [${retry}x].`);
    await clock.sleep(delayMs, { signal });
  }
}

class NoAnswerError extends ExtractorError {
  readonly curlNumber: number;

  constructor(thrown: MillraceError) {
    const why = thrown.details['why'];
    const number = Object.entries(curlNumbers).find(([name]) => name === why)?.[1] ?? curlNumbers.broken;
    super(`CURL error ${number}: ${thrown.message}`, { cause: thrown });
    this.curlNumber = number;
  }
}

function withDefaults(job: JobRequest, options: ApiSettings['defaultOptions']): JobRequest {
  const { method, params, headers } = options;
  return {
    ...job,
    method: job.method ?? method,
    params: isObject(params) ? deepMerge(params, job.params) : job.params,
    headers: isObject(headers) ? deepMerge(headers, job.headers) : job.headers,
  };
}

/** Of the body of an answer that is an error, in characters. */
const shownBody = 120;

function failureText({ method, url }: HttpRequest, answer: HttpAnswer): string {
  const kind = answer.status < 500 ? 'Client error' : 'Server error';
  const body = bodyText(answer);
  const start = body.length > shownBody ? `${body.slice(0, shownBody)} (truncated...)` : body;
  const reason = `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trim();
  return `${kind}: \`${method} ${withoutUser(url)}\` resulted in a \`${reason}\` response:\n${start}`;
}
