import type { IncomingMessage, ServerResponse } from 'node:http';
import { MillraceError } from '../../../core/millrace-error.ts';
import { protocolFault } from '../../../listener/protocol-fault.ts';
import { answerEmpty, answerHealthy, answerProblem, type AnswerOptions } from './answers.ts';
import { streamMethods } from './cors.ts';
import { Exchange } from './exchange.ts';
import { discardLimit } from './ingest-config.ts';
import type { IngestContext } from './ingest-context.ts';
import { bodyTooLarge, expectation, problems, protocolProblem, type Problem } from './problem.ts';
import { emptyQuery, parseQuery } from '../http/query.ts';
import { parseRoute, type Route } from '../http/route.ts';
import type { Target } from '../accept/targets.ts';

/** A request whose headers have arrived. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** It waits for `100 Continue` before it sends its body. */
  readonly expectsContinue: boolean;
}

/**
 * Takes a request: decides by its headers alone, and lets an `Exchange` receive what belongs to a source. A defect of
 * ours is answered with 500 and told; it never ends the process.
 */
export function receive(context: IngestContext, arrival: Arrival): void {
  try {
    decide(context, arrival);
  } catch (error) {
    context.telemetry.failed(MillraceError.fromUnknown(error));
    if (!arrival.response.headersSent) refuse(context, arrival, problems.internalError);
  }
}

/** Answers a request that expects what nobody can give (RFC 9110, 10.1.1). */
export function refuseExpectation(context: IngestContext, arrival: Arrival): void {
  refuse(context, arrival, expectation(arrival.request.headers.expect ?? ''));
}

function decide(context: IngestContext, arrival: Arrival): void {
  const { request, response, expectsContinue } = arrival;
  if (context.exchanges.closing) {
    refuse(context, arrival, problems.shutdown);
    return;
  }
  const fault = protocolFault(request);
  if (fault !== undefined) {
    refuse(context, arrival, protocolProblem(fault));
    return;
  }
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const target = request.method === 'POST' ? findTarget(context, request, path) : parseRoute(path);
  if (target.kind === 'problem') {
    refuse(context, arrival, target);
    return;
  }
  if (target.kind !== 'target') {
    answerRoute(context, arrival, target);
    return;
  }
  const query = mark < 0 ? emptyQuery : parseQuery(url.slice(mark + 1));
  const headBytes = headBytesOf(request.rawHeaders);
  const problem = query.kind === 'problem' ? query : obstacle(context, { request, target, headBytes });
  if (problem !== undefined || query.kind === 'problem') {
    refuse(context, arrival, problem ?? problems.routeNotFound);
    return;
  }
  if (expectsContinue) response.writeContinue();
  new Exchange(context, arrival, { target, query }).receive(headBytes);
}

function findTarget(
  { targets, clock }: IngestContext,
  request: IncomingMessage,
  path: string,
): Target | Route | Problem {
  const now = clock.now();
  const known = targets.recall(path, now);
  if (known !== undefined) return known;
  const { authorization } = request.headers;
  // A blank stands in no path, so the two keys are never taken for one another.
  const key = authorization === undefined ? path : `${path} ${authorization}`;
  const knownByHeader = authorization === undefined ? undefined : targets.recall(key, now);
  if (knownByHeader !== undefined) return knownByHeader;
  const route = parseRoute(path);
  if (route.kind !== 'stream') return route;
  return targets.find({ route, authorization, now }, route.secret === undefined ? key : path);
}

/** What the objects around a request take in the heap of Node, and each header with its two strings, about. */
const objectBytes = 4096;
const headerBytes = 64;

function headBytesOf(rawHeaders: readonly string[]): number {
  let bytes = objectBytes;
  for (const text of rawHeaders) bytes += text.length + headerBytes / 2;
  return bytes;
}

interface Candidate {
  readonly request: IncomingMessage;
  readonly target: Target;
  readonly headBytes: number;
}

/** What keeps a request from being received, as its headers and the state of the service tell. */
function obstacle({ config, inFlight }: IngestContext, candidate: Candidate): Problem | undefined {
  const { request, target, headBytes } = candidate;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > config.maxBodyBytes) return bodyTooLarge(config.maxBodyBytes);
  if (!inFlight.fits(declared + headBytes)) return problems.tooManyRequests;
  const [source] = target.sources;
  if (target.sources.length !== 1 || source?.refusal === undefined) return undefined;
  const { error, message, retryAfterSeconds } = source.refusal;
  return { kind: 'problem', status: 503, error: `stream.in.${error}`, message, retryAfterSeconds };
}

function answerRoute(context: IngestContext, arrival: Arrival, route: Route): void {
  const { request, response } = arrival;
  switch (route.kind) {
    case 'stream': {
      const { origin } = request.headers;
      const isPreflight = request.method === 'OPTIONS';
      const requested = request.headers['access-control-request-headers'];
      const cors = isPreflight ? context.cors.preflightHeaders(origin, requested) : context.cors.answerHeaders(origin);
      answerEmpty(response, isPreflight ? 200 : 405, options(arrival, ['Allow', streamMethods, ...cors]));
      break;
    }
    case 'healthCheck': {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead) answerHealthy(response, options(arrival, []));
      else answerEmpty(response, 405, options(arrival, ['Allow', 'GET, HEAD']));
      break;
    }
    case 'otlp':
      refuse(context, arrival, problems.notImplemented);
      return;
    case 'invalidEncoding':
      refuse(context, arrival, problems.invalidPath);
      return;
    case 'unknown':
      refuse(context, arrival, problems.routeNotFound);
      return;
    default:
      route satisfies never;
  }
  discardBody(context, request);
}

function refuse(context: IngestContext, arrival: Arrival, problem: Problem): void {
  const { request, response } = arrival;
  context.telemetry.refused(problem.status, problem.error);
  const cors = context.cors.answerHeaders(request.headers.origin);
  const close = context.exchanges.closing;
  answerProblem(response, problem, { ...options(arrival, cors), ...(close ? { close } : {}) });
  discardBody(context, request);
}

/** Without `100 Continue` the sender may or may not send the body: only the end of the connection makes that clear. */
function options({ expectsContinue }: Arrival, extra: readonly string[]): AnswerOptions {
  return { extra, close: expectsContinue };
}

/** Reads a body that nobody wants, so that the sender sees the answer, but not without end. */
function discardBody({ config }: IngestContext, request: IncomingMessage): void {
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > discardLimit(config)) request.socket.destroy();
  });
}
