import { request as send, type Agent, type Dispatcher } from 'undici';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../ports/http-client.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { Closing } from '../closing.ts';
import { openConnections } from './client.ts';
import {
  discardedBytes,
  usualLimits,
  usualRequestTimeoutMs,
  type HttpClientOptions,
  type HttpLimits,
} from './config.ts';
import { acceptedCodings, decodedBody } from './decoded-body.ts';
import { fromExchange, noAnswer, refused, tooLarge } from './errors.ts';
import { redirected } from './redirect.ts';

/** Opens a client for one configuration; `input.invalid` for one whose certificates cannot be read. */
export function openHttpClient(options: HttpClientOptions): HttpClient & AsyncDisposable {
  return new UndiciClient(options);
}

class UndiciClient implements HttpClient, AsyncDisposable {
  readonly #limits: HttpLimits;
  readonly #timeoutMs: number;
  readonly #agent: Agent;
  readonly #closing = new Closing('the HTTP client');

  constructor(options: HttpClientOptions) {
    this.#limits = { ...usualLimits, ...options.limits };
    this.#timeoutMs = options.requestTimeoutMs ?? usualRequestTimeoutMs;
    this.#agent = openConnections(options, this.#limits);
  }

  async send(request: HttpRequest, { signal }: Waiting): Promise<HttpAnswer> {
    this.#closing.check(signal);
    const { host } = parsed(request.url);
    const ending = new AbortController();
    const leave = () => ending.abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    const late = () => noAnswer('timeout', `"${host}" did not answer to the end within ${this.#timeoutMs} ms`);
    const timer = setTimeout(() => ending.abort(late()), this.#timeoutMs);
    try {
      return await this.#follow(withUser(request), ending.signal);
    } catch (thrown) {
      ending.signal.throwIfAborted();
      throw thrown;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  async #follow(first: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    let request = first;
    for (let redirects = 0; redirects <= this.#limits.redirects; redirects += 1) {
      const answer = await this.#exchange(request, signal);
      if ('status' in answer) return answer;
      request = answer;
    }
    throw refused(`"${parsed(first.url).host}" redirects more than ${this.#limits.redirects} times`);
  }

  /** The answer, or the request that it asks for instead. */
  async #exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer | HttpRequest> {
    const { host } = parsed(request.url);
    let isAnswering = false;
    try {
      const response = await send(request.url, {
        dispatcher: this.#agent,
        method: request.method,
        headers: withUsual(request.headers),
        body: request.body ?? null,
        signal,
      });
      isAnswering = true;
      return await this.#read(request, response, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      throw fromExchange(thrown, host, isAnswering);
    }
  }

  async #read(
    request: HttpRequest,
    { statusCode: status, headers: raw, body: stream }: Dispatcher.ResponseData,
    signal: AbortSignal,
  ): Promise<HttpAnswer | HttpRequest> {
    // What is thrown away unread must not throw at nobody.
    stream.on('error', () => {});
    try {
      const { host } = parsed(request.url);
      const headers = joined(raw, this.#limits, host);
      const next = redirected(request, { status, location: headers['location'] });
      if (next !== undefined) {
        await stream.dump({ limit: discardedBytes, signal });
        return next;
      }
      if (Number(headers['content-length'] ?? 0) > this.#limits.wireBytes)
        throw tooLarge(`the answer of "${host}" has more than ${this.#limits.wireBytes} bytes`);
      const body = await decodedBody({ stream, coding: headers['content-encoding'], host }, this.#limits);
      return { status, headers, body, url: request.url };
    } finally {
      if (!stream.readableEnded) stream.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.once(() => this.#agent.destroy());
  }
}

/** `http.refused` for what is no URL, or one of another scheme. */
function parsed(url: string): URL {
  const found = URL.parse(url);
  if (found === null) throw refused('what is asked for is no URL');
  if (found.protocol !== 'http:' && found.protocol !== 'https:')
    throw refused(`the scheme "${found.protocol}" is not asked, only http and https`);
  return found;
}

/** User and password of a URL go as the header that they mean, unless there is one. */
function withUser(request: HttpRequest): HttpRequest {
  const url = parsed(request.url);
  if (url.username === '' && url.password === '') return request;
  const pair = `${unescaped(url.username)}:${unescaped(url.password)}`;
  url.username = '';
  url.password = '';
  const isGiven = Object.keys(request.headers).some((name) => name.toLowerCase() === 'authorization');
  const basic = isGiven ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  return { ...request, url: url.href, headers: { ...request.headers, ...basic } };
}

function unescaped(text: string): string {
  return Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    'latin1',
  ).toString();
}

/** Many APIs refuse requests whose sender has no name. */
const usualHeaders = { 'accept-encoding': acceptedCodings, 'user-agent': 'Millrace' };

function withUsual(headers: HttpRequest['headers']): Record<string, string> {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(usualHeaders).filter(([name]) => !given.has(name))), ...headers };
}

function joined(raw: Dispatcher.ResponseData['headers'], limits: HttpLimits, host: string): Record<string, string> {
  const entries = Object.entries(raw);
  const count = entries.reduce((sum, [, value]) => sum + (Array.isArray(value) ? value.length : 1), 0);
  if (count > limits.headers) throw tooLarge(`the answer of "${host}" has more than ${limits.headers} headers`);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
