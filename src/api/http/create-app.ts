import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { originForm } from '../../listener/origin-form.ts';
import type { OpsHandlers } from '../dependencies.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Route } from '../route/route.ts';
import type { AnsweringParts } from './answer-request.ts';
import { checkProtocol } from './check-protocol.ts';
import { cors } from './cors.ts';
import { sendError, type ErrorSink } from './send-error.ts';
import { noEndpoint, serveRoutes } from './serve-routes.ts';

export interface AppOptions extends AnsweringParts {
  readonly routes: readonly Route[];
  readonly ops: OpsHandlers;
  /** Origins that browsers may call from; `*` allows all. */
  readonly corsOrigins: readonly string[];
}

/** The API as what a server calls for each request. */
export function createApp(options: AppOptions): RequestListener {
  const app = createRouter(options);
  return (request, response) => {
    // Express would answer a target that it cannot read itself, with a page.
    request.url = originForm(request.url ?? '');
    app(request, response);
  };
}

/** What a request meets, in this order, until one of them answers; `answerRequest` says what it passes at its route. */
function createRouter({ routes, ops, corsOrigins, ...parts }: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple').set('case sensitive routing', true);
  app.use(fixedHeaders);
  // Before CORS: these pages ask for no token, and no page of another origin reads them.
  app.get('/metrics', checkProtocol, ops.metrics);
  app.get('/health/live', checkProtocol, ops.live).get('/health/ready', checkProtocol, ops.ready);
  app.use(cors(corsOrigins));
  app.use(checkProtocol);
  serveRoutes(app, routes, parts);
  app.use(noEndpoint);
  app.use(errorHandler(parts.context));
  return app;
}

const fixedHeaders: RequestHandler = (_, response, next) => {
  response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  next();
};

function errorHandler(sink: ErrorSink): ErrorRequestHandler {
  // Express knows a handler of errors by its four parameters.
  // eslint-disable-next-line max-params
  return (thrown: unknown, request, response, _next) => {
    sendError(sink, { request, response }, pathError(thrown));
  };
}

/** What Express throws for a path that cannot be decoded. */
function pathError(thrown: unknown): unknown {
  return thrown instanceof URIError
    ? new ApiError('badRequest', 'the path holds a malformed percent encoding', { cause: thrown })
    : thrown;
}
