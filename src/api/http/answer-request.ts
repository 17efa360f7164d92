import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { audited } from '../../control/audit/audited.ts';
import type { Change } from '../../control/audit/change.ts';
import type { Control } from '../../control/control.ts';
import type { Token } from '../../core/token.ts';
import type { ApiContext } from '../api-context.ts';
import { failureOf } from '../errors/refusal.ts';
import type { Call, RawInput, Reply, Route } from '../route/route.ts';
import { byOf, identify, permitted, refusesFirst } from './authenticate.ts';
import { forward } from './forward.ts';
import { keepOpen, linger } from './linger.ts';
import { rawInput } from './raw-input.ts';
import { readBody } from './read-body.ts';
import { requestEnd } from './request-end.ts';
import { exceptionIdOf, sendError } from './send-error.ts';
import { sendReply } from './send-reply.ts';

export interface AnsweringParts {
  readonly context: ApiContext;
  readonly control: Pick<Control, 'seat' | 'acceptsChanges'>;
  /** Aborted when the process leaves at once. */
  readonly signal: AbortSignal;
  /** Told of a request whose body may take longer to arrive than others may. */
  readonly takeLong: (request: IncomingMessage) => void;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

const requestTimeoutMs = 30_000;

/** Answers a request to a route, in time, with what the route says or with what is wrong. */
export async function answerRequest(exchange: Exchange, route: Route, parts: AnsweringParts): Promise<void> {
  const gone = requestEnd(exchange.response, route.streams === true ? undefined : requestTimeoutMs);
  const signal = AbortSignal.any([parts.signal, gone]);
  const exceptionId = exceptionIdOf(parts.context);
  try {
    await pass(exchange, route, { ...parts, signal, exceptionId, leave: parts.signal });
  } catch (thrown) {
    if (route.bodyKind === 'stream') keepOpen(exchange);
    sendError(parts.context, { ...exchange, exceptionId }, thrown);
  }
}

interface PassingParts extends AnsweringParts {
  /** Under which the log, and the audit trail, know the request. */
  readonly exceptionId: string;
  /** Aborted when the process leaves at once, and not before. */
  readonly leave: AbortSignal;
}

/**
 * What a request passes, in this order; its client is told the first thing that is wrong. The caller is looked up
 * before anything is read, because only a known caller may send much and have it passed on. A refused caller learns of
 * it once the shape is right, except where its interface says that nothing else comes first.
 */
async function pass({ request, response }: Exchange, route: Route, parts: PassingParts): Promise<void> {
  const { context, control, signal } = parts;
  // Who calls.
  const { headers, params } = request;
  const { access } = route;
  const caller = await identify(context, { headers, access, params }, { signal });
  if (refusesFirst(access)) permitted(caller);
  if (route.bodyKind === 'stream' && caller.kind === 'known') {
    parts.takeLong(request);
    linger({ request, response }, { clock: context.clock, signal: parts.leave });
  }
  // Where: a change is made by the process that has the seat.
  if (route.changes && caller.kind === 'known' && !control.acceptsChanges) return passOn({ request, response }, parts);
  // Size, encoding, JSON.
  const body = await readBody({ request, response }, route.bodyKind, caller.kind);
  // Shape: body, then path, then query.
  const work = await prepare(route, rawInput(request, body), parts);
  // Permission.
  const token = permitted(caller);
  // What only the operation can tell, and what was asked for.
  const reply = await work(callOf(request, token, signal));
  await sendReply(response, reply);
}

async function passOn(exchange: Exchange, { control: { seat }, signal }: PassingParts): Promise<void> {
  await forward(exchange, { holder: await seat.holder({ signal }), owner: seat.owner }, { signal });
}

/** Checks the shape of a request, and answers what makes it: a change with its entry in the audit trail. */
async function prepare(
  route: Route,
  input: RawInput,
  { context, exceptionId: requestId }: PassingParts,
): Promise<(call: Call) => Promise<Reply>> {
  if (!route.changes) {
    const answer = await route.prepare(input);
    return (call) => answer(context, call);
  }
  const { operationId: operation } = route;
  const answer = await route.prepare(input);
  return (call) => {
    const make = (change: Change): Promise<Reply> => answer(context, { ...call, change });
    return audited(context, { operation, by: call.by, requestId, make, failureOf });
  };
}

function callOf(request: Request, token: Token | undefined, signal: AbortSignal): Call {
  return {
    by: byOf(token),
    token,
    headers: request.rawHeaders,
    peer: request.socket.remoteAddress ?? '',
    signal,
  };
}
