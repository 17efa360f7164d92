import type { RequestHandler } from 'express';

const allowHeaders = 'Content-Type, Authorization, X-StorageApi-Token, X-KBC-ProjectId, X-KBC-RunId';
const allowMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Lets browsers on the allowed origins call and read everything; answers every preflight request. */
export function cors(origins: readonly string[]): RequestHandler {
  const any = origins.includes('*');
  return (request, response, next) => {
    const { origin } = request.headers;
    if (!any) response.vary('Origin');
    if (origin !== undefined && (any || origins.includes(origin))) {
      response.set('Access-Control-Allow-Origin', any ? '*' : origin);
      response.set(
        'Access-Control-Expose-Headers',
        'Allow, Retry-After, Location, Content-Disposition, Millrace-Truncated',
      );
      if (request.headers['access-control-request-method'] !== undefined) {
        response.set('Access-Control-Allow-Methods', allowMethods);
        response.set('Access-Control-Allow-Headers', allowHeaders);
        response.set('Access-Control-Max-Age', '600');
      }
    }
    next();
  };
}
