import type { Express, Request, RequestHandler } from 'express';
import { ApiError } from '../errors/api-error.ts';
import type { Route } from '../route/route.ts';
import { answerRequest, type AnsweringParts } from './answer-request.ts';

/** So much of what a client sent stands in an answer. */
const shownPathLength = 200;

/** Gives each route its requests; of a known path all other methods are refused. */
export function serveRoutes(app: Express, routes: readonly Route[], parts: AnsweringParts): void {
  for (const [path, group] of byPath(routes)) {
    const at = app.route(path);
    for (const route of group) serve(at, route, parts);
    at.all(otherMethods(group));
  }
}

/** Refuses a path that no route has. */
export const noEndpoint: RequestHandler = (request) => {
  throw new ApiError('endpointNotFound', `no endpoint found for path "${shownPath(request)}"`);
};

function byPath(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  return Map.groupBy(routes, ({ path }) => path.replaceAll(/\{(\w+)\*\}/g, '*$1').replaceAll(/\{(\w+)\}/g, ':$1'));
}

function serve(at: ReturnType<Express['route']>, route: Route, parts: AnsweringParts): void {
  const handler: RequestHandler = (request, response) => answerRequest({ request, response }, route, parts);
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
