import { maxHeaderSize, STATUS_CODES, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { connectionFault, type ConnectionError } from '../../listener/connection-fault.ts';
import { endAfter, type LatestExchanges } from '../../listener/latest-exchanges.ts';
import { ApiError } from '../errors/api-error.ts';
import { errorBody } from '../errors/error-body.ts';
import { notHttp } from './check-protocol.ts';
import { prettyJson } from './send-reply.ts';

export interface ConnectionErrorOptions {
  readonly latest: LatestExchanges;
  readonly clock: Clock;
  /** Aborted when the process leaves at once. */
  readonly signal: AbortSignal;
}

const lingerMs = 1000;

/** Answers what is no HTTP request, not in time, or asks for a tunnel, each in its turn, and ends the connection. */
export function answerConnectionErrors(server: Server, { latest, clock, signal }: ConnectionErrorOptions): void {
  const endWith = (socket: Duplex, error: ApiError): void => {
    const destroy = (): void => {
      socket.destroy();
    };
    socket.on('error', destroy).end(rawAnswer(error));
    clock.sleep(lingerMs, { signal }).then(destroy, destroy);
  };
  server.on('connect', (request, socket) => {
    const state = latest.stateOf(socket);
    const path = (request.url ?? '').slice(0, 200);
    if (state.kind === 'idle')
      endWith(socket, new ApiError('endpointNotFound', `no endpoint found for path "${path}"`));
    else endAfter(socket, state.response);
  });
  server.on('clientError', (thrown: ConnectionError, socket) => {
    if (thrown.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    // Node asks once; whoever reads the body has a limit of its own.
    if (thrown.code === 'ERR_HTTP_REQUEST_TIMEOUT' && latest.mayTakeLong(socket)) return;
    const state = latest.stateOf(socket);
    switch (state.kind) {
      case 'idle':
        endWith(socket, refusalOf(thrown));
        return;
      case 'receiving': {
        const error = refusalOf(thrown);
        const body = bodyOf(error);
        state.response.writeHead(error.status, headersOf(body)).end(body);
        return;
      }
      case 'answering':
        endAfter(socket, state.response);
        return;
      default:
        state satisfies never;
    }
  });
}

function rawAnswer(error: ApiError): string {
  const body = bodyOf(error);
  const headers = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`, ...headers, '', body].join('\r\n');
}

function headersOf(body: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
}

function bodyOf(error: ApiError): string {
  return prettyJson(errorBody(error, { shape: 'stream', exceptionId: '' }));
}

function refusalOf(thrown: ConnectionError): ApiError {
  const fault = connectionFault(thrown);
  switch (fault.kind) {
    case 'headersTooLarge':
      return new ApiError('headersTooLarge', `request headers are over the maximum of ${maxHeaderSize} bytes`);
    case 'timeout':
      return new ApiError('requestTimeout', 'the request did not arrive in time');
    case 'invalid':
      return notHttp(fault.reason);
    default:
      return fault satisfies never;
  }
}
