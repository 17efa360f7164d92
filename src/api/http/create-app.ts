import type { RequestListener } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { originForm } from '../../listener/origin-form.ts';
import type { ApiContext } from '../api-context.ts';
import type { Control } from '../../control/control.ts';
import type { OpsHandlers } from '../dependencies.ts';
import { audited } from '../../control/audit/audited.ts';
import { ApiError } from '../errors/api-error.ts';
import { failureOf } from '../errors/refusal.ts';
import type { Call, RawInput, Reply, Route } from '../route/route.ts';
import { byOf, identify } from './authenticate.ts';
import { checkProtocol } from './check-protocol.ts';
import { cors } from './cors.ts';
import { forward } from './forward.ts';
import { readBody } from './read-body.ts';
import { requestEnd } from './request-end.ts';
import { exceptionIdOf, sendError } from './send-error.ts';
import { sendReply } from './send-reply.ts';

export interface AppOptions {
  readonly context: ApiContext;
  readonly control: Pick<Control, 'seat' | 'acceptsChanges'>;
  readonly routes: readonly Route[];
  readonly ops: OpsHandlers;
  /** Origins that browsers may call from; `*` allows all. */
  readonly corsOrigins: readonly string[];
  /** Aborted when the process leaves at once. */
  readonly signal: AbortSignal;
}

const requestTimeoutMs = 30_000;
/** So much of what a client sent stands in an answer. */
const shownPathLength = 200;

/** The API as what a server calls for each request. */
export function createApp(options: AppOptions): RequestListener {
  const app = createRouter(options);
  return (request, response) => {
    // Express would answer a target that it cannot read itself, with a page.
    request.url = originForm(request.url ?? '');
    app(request, response);
  };
}

function createRouter(options: AppOptions): Express {
  const { context, routes, ops, corsOrigins } = options;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').set('case sensitive routing', true);
  app.use((_, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    next();
  });
  app.use(cors(corsOrigins));
  app.use(checkProtocol);
  const { metrics, live, ready } = ops;
  app.get('/metrics', metrics).get('/health/live', live).get('/health/ready', ready);
  for (const [path, group] of byPath(routes)) {
    const route = app.route(path);
    for (const one of group) serve(route, one, options);
    route.all(otherMethods(group));
  }
  app.use((request) => {
    throw new ApiError('endpointNotFound', `no endpoint found for path "${shownPath(request)}"`);
  });
  // Express knows a handler of errors by its four parameters.
  // eslint-disable-next-line max-params
  app.use((thrown: unknown, request: Request, response: Response, _next: unknown) => {
    sendError(context, { request, response }, pathError(thrown));
  });
  return app;
}

function byPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\*\}/g, '*$1').replaceAll(/\{(\w+)\}/g, ':$1');
    groups.set(path, [...(groups.get(path) ?? []), route]);
  }
  return groups;
}

function serve(at: ReturnType<Express['route']>, route: Route, options: AppOptions): void {
  const handler: RequestHandler = (request, response) => handle({ request, response }, route, options);
  switch (route.method) {
    case 'GET':
      at.get(handler);
      return;
    case 'POST':
      at.post(handler);
      return;
    case 'PUT':
      at.put(handler);
      return;
    case 'PATCH':
      at.patch(handler);
      return;
    case 'DELETE':
      at.delete(handler);
      return;
    default:
      return route.method satisfies never;
  }
}

/**
 * A write that another process makes is passed on as it is. Else: body, then path and query, then the token, then the handler: the order in which a client learns what is wrong. The
 * token is looked at first all the same, because nobody else may send much.
 */
async function handle(
  { request, response }: { readonly request: Request; readonly response: Response },
  route: Route,
  { context, control, signal }: AppOptions,
): Promise<void> {
  const gone = requestEnd(response, route.streams === true ? undefined : requestTimeoutMs);
  const either = AbortSignal.any([signal, gone]);
  const exceptionId = exceptionIdOf(context);
  try {
    const identity = await identify(context, { headers: request.headers, access: route.access }, { signal: either });
    if (route.changes && identity.kind === 'known' && !control.acceptsChanges) {
      const holder = await control.seat.holder({ signal: either });
      return await forward({ request, response }, { holder, owner: control.seat.owner }, { signal: either });
    }
    const body = await readBody({ request, response }, route.bodyKind, identity.kind === 'known' ? 'known' : 'unknown');
    const params = paramsOf(request);
    const answer = prepare(route, { params, query: queryOf(request), body }, { context, requestId: exceptionId });
    if (identity.kind === 'refused') throw identity.error;
    const { token } = identity;
    const call = {
      by: byOf(token),
      token,
      headers: request.rawHeaders,
      peer: request.socket.remoteAddress ?? '',
      signal: either,
    };
    await sendReply(response, await answer(call));
  } catch (thrown) {
    sendError(context, { request, response, exceptionId }, thrown);
  }
}

interface Surroundings {
  readonly context: ApiContext;
  readonly requestId: string;
}

/** Checks the shape of a request, and answers what makes it: a change with its entry in the audit trail. */
function prepare(route: Route, input: RawInput, { context, requestId }: Surroundings): (call: Call) => Promise<Reply> {
  if (!route.changes) {
    const answer = route.prepare(input);
    return (call) => answer(context, call);
  }
  const { operationId: operation } = route;
  const answer = route.prepare(input);
  return (call) =>
    audited(context, {
      operation,
      by: call.by,
      requestId,
      make: (change) => answer(context, { ...call, change }),
      failureOf,
    });
}

function paramsOf({ params }: Request): RawInput['params'] {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value]),
  );
}

/** A repeated parameter counts with its first value. */
function queryOf({ query }: Request): RawInput['query'] {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]): [string, string][] => {
      const value: unknown = Array.isArray(given) ? given[0] : given;
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** Known path, other method (A40); OPTIONS tells the methods. */
function otherMethods(routes: readonly Route[]): RequestHandler {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const allow = [...methods, 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method === 'OPTIONS') {
      response.status(204).set('Allow', allow).end();
      return;
    }
    const message = `method ${request.method} is not offered for path "${shownPath(request)}", use ${allow}`;
    throw new ApiError('methodNotAllowed', message, { headers: { Allow: allow } });
  };
}

function shownPath({ path }: Request): string {
  return path.slice(0, shownPathLength);
}

/** What Express throws for a path that cannot be decoded. */
function pathError(thrown: unknown): unknown {
  return thrown instanceof URIError
    ? new ApiError('badRequest', 'the path holds a malformed percent encoding', { cause: thrown })
    : thrown;
}
