import type { RequestHandler } from 'express';
import { protocolFault } from '../../listener/protocol-fault.ts';
import { ApiError } from '../errors/api-error.ts';

/** The refusal of what is not HTTP/1.1, or not whole. */
export function notHttp(reason: string): ApiError {
  return new ApiError('badRequest', `the request is not valid HTTP/1.1: ${reason}`);
}

/** Refuses a request that is not HTTP/1.1 or expects what nobody can give, before anything reads a body by its word. */
export const checkProtocol: RequestHandler = (request, response, next) => {
  const fault = protocolFault(request);
  switch (fault?.kind) {
    case 'invalid':
      throw notHttp(fault.reason);
    case 'coding': {
      const message = `value of header "Transfer-Encoding" must be "chunked" but got "${fault.coding.slice(0, 50)}"`;
      throw new ApiError('notImplemented', message);
    }
    case undefined:
      break;
    default:
      fault satisfies never;
  }
  const { expect } = request.headers;
  if (expect !== undefined) {
    // The sender may or may not send the body of a request that is refused: only the end of the connection makes that clear.
    response.set('Connection', 'close');
    if (expect.toLowerCase() !== '100-continue')
      throw new ApiError(
        'expectationFailed',
        `value of header "Expect" must be "100-continue" but got "${expect.slice(0, 50)}"`,
      );
  }
  next();
};
