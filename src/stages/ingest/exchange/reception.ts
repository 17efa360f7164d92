import type { IncomingMessage, ServerResponse } from 'node:http';
import { MillraceError } from '../../../core/millrace-error.ts';
import { originForm } from '../../../listener/origin-form.ts';
import { protocolFault } from '../../../listener/protocol-fault.ts';
import { codingsOf } from '../../../events/encoding/content-codings.ts';
import { errorName, hindered, refusals, type Refusal } from '../../../events/refusal.ts';
import { bodyTooLarge, tooManyHeaders } from '../../../events/request-limits.ts';
import type { Acceptor } from '../accept/acceptor.ts';
import { answerContent, answerEmpty, answerHealthy, answerProblem, type AnswerOptions } from './answers.ts';
import { eventMethods } from './cors.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { Exchange } from './exchange.ts';
import type { Face, Reading } from './face.ts';
import { discardLimit } from './http-config.ts';
import { expectation, methodNotAllowed, problemOf, protocolProblem, type Problem } from './problem.ts';

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
export function receive(context: ExchangeContext, arrival: Arrival): void {
  try {
    decide(context, arrival);
  } catch (error) {
    context.acceptor.telemetry.failed(MillraceError.fromUnknown(error));
    if (!arrival.response.headersSent) refuse(context, arrival, problemOf(refusals.internalError));
  }
}

/** Answers a request that expects what nobody can give (RFC 9110, 10.1.1). */
export function refuseExpectation(context: ExchangeContext, arrival: Arrival): void {
  refuse(context, arrival, expectation(arrival.request.headers.expect ?? ''));
}

function decide(context: ExchangeContext, arrival: Arrival): void {
  const { request } = arrival;
  if (context.intakes.isClosing) {
    refuse(context, arrival, problemOf(refusals.shutdown));
    return;
  }
  const fault = protocolFault(request);
  if (fault !== undefined) {
    refuse(context, arrival, protocolProblem(fault));
    return;
  }
  const url = originForm(request.url ?? '');
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const face = faceOf(context.faces, path);
  if (face === undefined) {
    if (path === '/health-check') answerHealthCheck(context, arrival);
    else refuse(context, arrival, context.routeNotFound);
  } else if (request.method === 'POST') {
    const { authorization, 'content-type': contentType } = request.headers;
    const now = context.acceptor.clock.now();
    const query = mark < 0 ? '' : url.slice(mark + 1);
    take(context, arrival, face.read({ path, query, authorization, contentType, now }));
  } else {
    answerMethod(context, arrival, face.owns(path));
  }
}

function faceOf(faces: readonly Face[], path: string): Face | undefined {
  for (const face of faces) if (path.startsWith(face.prefix)) return face;
  return undefined;
}

function take(context: ExchangeContext, arrival: Arrival, reading: Reading | Refusal | undefined): void {
  if (reading === undefined) {
    refuse(context, arrival, context.routeNotFound);
    return;
  }
  if (reading.kind === 'refusal') {
    refuse(context, arrival, problemOf(reading));
    return;
  }
  const { request, response, expectsContinue } = arrival;
  const codings = codingsOf(request.headers['content-encoding']);
  if ('kind' in codings) {
    refuse(context, arrival, problemOf(codings));
    return;
  }
  const headBytes = headBytesOf(request.rawHeaders);
  const obstacle = obstacleOf(context, { request, reading, headBytes });
  if (obstacle !== undefined) {
    refuseRead(context, arrival, { reading, refusal: obstacle });
    return;
  }
  if (expectsContinue) response.writeContinue();
  new Exchange(context, arrival, { reading, codings }).receive(headBytes);
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
  readonly reading: Reading;
  readonly headBytes: number;
}

/** What keeps a request from being received, as its headers and the state of the service tell. */
function obstacleOf({ config, acceptor }: ExchangeContext, candidate: Candidate): Refusal | undefined {
  const { request, reading, headBytes } = candidate;
  const declared = Number(request.headers['content-length'] ?? 0);
  const { maxBodyBytes = config.maxBodyBytes } = reading;
  if (declared > maxBodyBytes) return bodyTooLarge(maxBodyBytes);
  const crowded = tooManyHeaders(request.rawHeaders);
  if (crowded !== undefined) return crowded;
  if (!acceptor.inFlight.fits(declared + headBytes)) return tooMuchNow(acceptor, declared + headBytes);
  const [source] = reading.sources;
  if (reading.sources.length !== 1 || source?.refusal === undefined) return undefined;
  return hindered(source.refusal);
}

function tooMuchNow({ inFlight }: Acceptor, bytes: number): Refusal {
  return inFlight.couldFit(bytes) ? refusals.tooManyRequests : refusals.tooLargeForMemory;
}

/** Answers any other method than POST at a path of a face. */
function answerMethod(context: ExchangeContext, arrival: Arrival, owns: boolean | Refusal): void {
  if (owns !== true) {
    refuse(context, arrival, owns === false ? context.routeNotFound : problemOf(owns));
    return;
  }
  const { request, response } = arrival;
  const { origin } = request.headers;
  const isPreflight = request.method === 'OPTIONS';
  const requested = request.headers['access-control-request-headers'];
  const cors = isPreflight ? context.cors.preflightHeaders(origin, requested) : context.cors.answerHeaders(origin);
  const headers = options(arrival, ['Allow', eventMethods, ...cors]);
  if (isPreflight) answerEmpty(response, 200, headers);
  else answerWrongMethod(arrival, eventMethods, headers);
  discardBody(context, request);
}

/** The answer to HEAD has no body. */
function answerWrongMethod({ request, response }: Arrival, methods: string, headers: AnswerOptions): void {
  const { method = '' } = request;
  if (method === 'HEAD') answerEmpty(response, 405, headers);
  else answerProblem(response, methodNotAllowed(method, methods), headers);
}

const readMethods = 'GET, HEAD';

function answerHealthCheck(context: ExchangeContext, arrival: Arrival): void {
  const { request, response } = arrival;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead) answerHealthy(response, options(arrival, []));
  else answerWrongMethod(arrival, readMethods, options(arrival, ['Allow', readMethods]));
  discardBody(context, request);
}

function refuse(context: ExchangeContext, arrival: Arrival, problem: Problem): void {
  const { request, response } = arrival;
  context.acceptor.telemetry.refused(problem.status, problem.error);
  const cors = context.cors.answerHeaders(request.headers.origin);
  const close = context.intakes.isClosing;
  answerProblem(response, problem, { ...options(arrival, cors), ...(close ? { close } : {}) });
  discardBody(context, request);
}

/** Refuses a request that a face has read, in the words of its protocol. */
function refuseRead(
  context: ExchangeContext,
  arrival: Arrival,
  { reading, refusal }: { readonly reading: Reading; readonly refusal: Refusal },
): void {
  const content = reading.refusal?.(refusal);
  if (content === undefined) {
    refuse(context, arrival, problemOf(refusal));
    return;
  }
  const { request, response } = arrival;
  context.acceptor.telemetry.refused(content.status, errorName(content.failure ?? refusal.name));
  const cors = context.cors.answerHeaders(request.headers.origin);
  answerContent(response, content, options(arrival, cors));
  discardBody(context, request);
}

/** Without `100 Continue` the sender may or may not send the body: only the end of the connection makes that clear. */
function options({ expectsContinue }: Arrival, extra: readonly string[]): AnswerOptions {
  return { extra, close: expectsContinue };
}

/** Reads a body that nobody wants, so that the sender sees the answer, but not without end. */
function discardBody({ config }: ExchangeContext, request: IncomingMessage): void {
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > discardLimit(config)) request.socket.destroy();
  });
}
