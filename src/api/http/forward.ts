import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Waiting } from '../../ports/waiting.ts';
import { ApiError } from '../errors/api-error.ts';
import type { SeatHolder } from '../../documents/seat-document.ts';

/** Set on what one process of the role admin passes to another: it is never passed on again. */
export const forwardedHeader = 'millrace-forwarded-by';

/** Headers of one connection, not of the message (RFC 9110, 7.6.1); `host` and `expect` are said anew. */
const ofConnection: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
];

export interface Forwarding {
  readonly holder: SeatHolder | undefined;
  /** Name of this life of the process. */
  readonly owner: string;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Passes a request to the process that changes things and its answer to the client, both as they come. Rejects with
 * `serviceUnavailable` when there is no such process at the moment, or when it does not answer: then the change may have happened.
 */
export async function forward(
  { request, response }: Exchange,
  { holder, owner }: Forwarding,
  { signal }: Waiting,
): Promise<void> {
  if (request.headers[forwardedHeader] !== undefined)
    throw unavailable('the process that changed things gives way to another one; try again');
  if (holder === undefined || holder.vacated || holder.holder === owner)
    throw unavailable('no process changes things at the moment, one is about to; try again');
  if (request.headers.expect !== undefined) {
    response.removeHeader('Connection');
    response.writeContinue();
  }
  const answer = await ask(request, { url: holder.url, owner, signal });
  if (response.destroyed) return void answer.destroy();
  const status = answer.statusCode ?? 502;
  response.writeHead(status, messageHeaders(answer.headers));
  try {
    await pipeline(answer, response, { signal });
  } catch (thrown) {
    // A response that was sent to its end closes, which aborts the signal before the pipeline knows that it is done.
    if (!response.writableFinished) throw thrown;
  }
}

interface Asking extends Waiting {
  readonly url: string;
  readonly owner: string;
}

/** Resolves with the head of the answer, which may come before the whole body is sent: then the rest of it goes nowhere. */
function ask(request: IncomingMessage, { url, owner, signal }: Asking): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const target = new URL(`${url}${request.url ?? '/'}`);
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  // Each request has a connection of its own: a change must not be sent on one that is being closed. It is called one
  // that is kept all the same, because a server that closes before it has read the whole body takes its answer with it.
  const headers = { ...messageHeaders(request.headers), connection: 'keep-alive', [forwardedHeader]: owner };
  const asked = send(target, { method: request.method, headers, agent: false, signal });
  const isGone = (): boolean => signal.aborted && !isLate(signal.reason);
  asked.once('response', (answer) => {
    request.unpipe(asked);
    request.resume();
    answer.once('close', () => asked.destroy());
    resolve(answer);
  });
  asked.on('error', (cause: NodeJS.ErrnoException) => {
    if (isGone()) reject(cause);
    else reject(unavailable(silence(url, cause), cause));
  });
  request.pipe(asked);
  return promise;
}

function isLate(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

function silence(url: string, { code }: NodeJS.ErrnoException): string {
  const reason = code === undefined || code === 'ABORT_ERR' ? 'it does not answer in time' : code;
  return `the process that changes things, at ${url}, cannot be asked (${reason}); when it is gone, another one takes over within seconds: look at the object and try again`;
}

function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('serviceUnavailable', message, { cause, headers: { 'Retry-After': '2' } });
}

/** What belongs to the message itself. */
function messageHeaders(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(',');
  const dropped = new Set([...ofConnection, ...named.map((name) => name.trim())]);
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !dropped.has(name) && value !== undefined),
  );
}
