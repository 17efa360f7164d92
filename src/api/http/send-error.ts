import type { Request, Response } from 'express';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { errorBody, errorShapeOf } from '../errors/error-body.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { refusalOf } from '../errors/refusal.ts';
import { reachedBounds } from '../errors/refusal-of-code.ts';
import { randomText, type RandomBytes } from '../../control/store/random-text.ts';
import { tokenText } from './authenticate.ts';
import { prettyJson } from './send-reply.ts';

export interface ErrorSink {
  readonly telemetry: Telemetry;
  readonly random: RandomBytes;
}

interface FailedExchange {
  readonly request: Request;
  readonly response: Response;
  /** Absent: one is made. */
  readonly exceptionId?: string;
}

/** An id under which the log, and the audit trail, know a request. */
export function exceptionIdOf({ random }: Pick<ErrorSink, 'random'>): string {
  return `millrace-stream-api-${randomText(random, 15)}`;
}

/** Answers whatever was thrown in the shape of its path, and logs what is our fault. */
export function sendError(
  { telemetry, random }: ErrorSink,
  { request, response, exceptionId = exceptionIdOf({ random }) }: FailedExchange,
  thrown: unknown,
): void {
  const refusal = refusalOf(thrown);
  const masked = (text: string): string => withoutTokens(text, tokenText(request.headers));
  const path = loggedPath(request.path, masked);
  const fields = { method: request.method, path, status: refusal.status, error: refusal.api };
  const isBound = thrown instanceof MillraceError && reachedBounds.has(thrown.code);
  if (refusal.status >= 500 && refusal.api !== 'notImplemented' && !isBound)
    telemetry.log.error({ ...fields, exceptionId, err: thrown }, 'API request failed');
  else
    telemetry.log.debug(
      { ...fields, ...(path === undefined ? {} : { detail: masked(refusal.message) }) },
      'API request refused',
    );
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = prettyJson(errorBody(refusal, { shape: errorShapeOf(request.path), exceptionId }));
  response.status(refusal.status).set(refusal.headers).set('Content-Type', 'application/json').end(escapeHtml(body));
}

/** Paths of the API only: what was meant for another port may hold the secret of a source (A29). */
function loggedPath(path: string, masked: (text: string) => string): string | undefined {
  return /^\/(v[12]|jobs|search|health|metrics)/.test(path) ? masked(path).slice(0, 200) : undefined;
}

/** What stands where the id of a token belongs and is none. */
const noTokenId = /(?<=\/storage\/tokens\/)(?!(?:verify|[0-9]{1,15})(?:[/"]|$))[^/"]+/g;

/** No log has the text of a token that somebody put where its id belongs, whichever token it is. */
function withoutTokens(text: string, own: string | undefined): string {
  const others = own === undefined || own === '' ? text : text.replaceAll(own, '[token]');
  return others
    .replaceAll(/\b[0-9]+-[0-9]+-[0-9A-Za-z]{20,}/g, '[token]')
    .replaceAll(/[0-9A-Za-z]{40,}/g, '[token]')
    .replaceAll(noTokenId, '[token]');
}

/** Error texts repeat what a client sent: a browser that takes the answer for a page finds no tag in it. */
function escapeHtml(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}
