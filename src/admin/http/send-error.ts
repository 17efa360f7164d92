import type { Request, Response } from 'express';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { RandomBytes } from '../dependencies.ts';
import { errorBody, familyOf } from '../errors/error-body.ts';
import { refusalOf } from '../errors/refusal.ts';
import { randomText } from '../store/random-text.ts';
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

/** Answers whatever was thrown in the shape of the path's family, and logs what is our fault. */
export function sendError(
  { telemetry, random }: ErrorSink,
  { request, response, exceptionId = exceptionIdOf({ random }) }: FailedExchange,
  thrown: unknown,
): void {
  const refusal = refusalOf(thrown);
  const path = loggedPath(request.path);
  const fields = { method: request.method, path, status: refusal.status, error: refusal.api };
  if (refusal.status >= 500 && refusal.api !== 'notImplemented')
    telemetry.log.error({ ...fields, exceptionId, err: thrown }, 'API request failed');
  else
    telemetry.log.debug(
      { ...fields, ...(path === undefined ? {} : { detail: withoutTokens(refusal.message) }) },
      'API request refused',
    );
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const body = prettyJson(errorBody(refusal, { family: familyOf(request.path), exceptionId }));
  response.status(refusal.status).set(refusal.headers).set('Content-Type', 'application/json').end(escapeHtml(body));
}

/** Paths of the API only: what was meant for another port may hold the secret of a source (A29). */
function loggedPath(path: string): string | undefined {
  return /^\/(v[12]|health|metrics)/.test(path) ? withoutTokens(path).slice(0, 200) : undefined;
}

/** The text of a token that somebody put where its id belongs is in no log. */
function withoutTokens(text: string): string {
  return text.replaceAll(/\b[0-9]+-[0-9]+-[0-9A-Za-z]{20,}/g, '[token]');
}

/** Error texts repeat what a client sent: a browser that takes the answer for a page finds no tag in it. */
function escapeHtml(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
}
