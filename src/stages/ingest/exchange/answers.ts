import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Content } from './face.ts';
import { problemBody, type Problem } from './problem.ts';

const server = ['Server', 'Millrace'] as const;
const okBody = 'OK';
const okHeaders: readonly string[] = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', '2', ...server];
const closing = ['Connection', 'close'] as const;
const none: readonly string[] = [];

/** How an answer differs from the plain one. */
export interface AnswerOptions {
  /** Headers of CORS and the like. */
  readonly extra?: readonly string[];
  /** The connection ends with this answer. */
  readonly close?: boolean;
}

/** The short answer to accepted events. The path of all events goes through here. */
export function answerOk(
  response: ServerResponse,
  status: number,
  { extra = none, close = false }: AnswerOptions,
): void {
  response.sendDate = false;
  const headers = extra.length === 0 && !close ? okHeaders : [...okHeaders, ...extra, ...(close ? closing : none)];
  response.writeHead(status, headers as string[]);
  response.end(okBody);
}

/** An answer as a face made it. */
export function answerContent(response: ServerResponse, content: Content, options: AnswerOptions): void {
  const wait = retryAfter(content);
  const extra = wait.length === 0 ? options.extra : [...(options.extra ?? none), ...wait];
  answer(response, content, extra === undefined ? options : { ...options, extra });
}

export function answerProblem(response: ServerResponse, problem: Problem, options: AnswerOptions): void {
  const extra = [...(options.extra ?? none), ...retryAfter(problem), ...acceptEncoding(problem)];
  answer(
    response,
    { status: problem.status, type: 'application/json', body: problemBody(problem) },
    { ...options, extra },
  );
}

/** An answer whose headers say everything. */
export function answerEmpty(response: ServerResponse, status: number, options: AnswerOptions): void {
  answer(response, { status, type: '', body: '' }, options);
}

/** What the health check says: `OK` and a line end. */
export function answerHealthy(response: ServerResponse, options: AnswerOptions): void {
  answer(response, { status: 200, type: 'text/plain; charset=utf-8', body: 'OK\n' }, options);
}

function answer(
  response: ServerResponse,
  content: Pick<Content, 'status' | 'type' | 'body'>,
  { extra = none, close = false }: AnswerOptions,
): void {
  const { status, type, body } = content;
  const headers = ['Content-Length', String(Buffer.byteLength(body)), ...server, ...extra, ...(close ? closing : none)];
  if (type !== '') headers.push('Content-Type', type);
  response.sendDate = false;
  response.writeHead(status, headers);
  response.end(body);
}

/** The header that says when to send a request again. */
function retryAfter({ retryAfterSeconds }: Pick<Problem, 'retryAfterSeconds'>): readonly string[] {
  return retryAfterSeconds === undefined ? none : ['Retry-After', String(retryAfterSeconds)];
}

function acceptEncoding({ acceptEncoding: codings }: Pick<Problem, 'acceptEncoding'>): readonly string[] {
  return codings === undefined ? none : ['Accept-Encoding', codings];
}

/** The whole answer as bytes, for a connection whose request never became one. It ends the connection. */
export function rawProblem(problem: Problem): string {
  const body = problemBody(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Server: Millrace',
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
