import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';
import { errorBody } from '../errors/error-body.ts';
import { prettyJson } from './send-reply.ts';

/** Answers what is no HTTP request, or not in time, and ends the connection. */
export function answerConnectionErrors(server: Server): void {
  server.on('clientError', (thrown: NodeJS.ErrnoException, socket: Socket) => {
    if (thrown.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const error = refusalOf(thrown.code);
    const body = prettyJson(errorBody(error, { family: 'stream', exceptionId: '' }));
    const head = [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

function refusalOf(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('headersTooLarge', 'request headers are over the maximum of 16384 bytes');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('requestTimeout', 'the request did not arrive in time');
    default:
      return new ApiError('badRequest', 'this is not a valid HTTP request');
  }
}
