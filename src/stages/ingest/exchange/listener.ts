import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LatestExchanges } from '../../../listener/latest-exchanges.ts';
import { Pipelines } from '../../../listener/pipelines.ts';
import { answerConnectionError, answerTunnel } from './connection-errors.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { receive, refuseExpectation, type Arrival } from './reception.ts';

/** The HTTP server with the limits of the configuration; it does not listen yet. */
export function createListener(context: ExchangeContext): Server {
  const { config, acceptor } = context;
  const server = createServer({
    maxHeaderSize: config.maxHeaderBytes,
    requestTimeout: config.requestTimeoutMs,
    headersTimeout: Math.min(config.headersTimeoutMs, config.requestTimeoutMs),
    keepAliveTimeout: config.idleTimeoutMs,
    connectionsCheckingInterval: Math.max(10, Math.min(1_000, config.headersTimeoutMs / 4)),
    noDelay: true,
    // `protocolFault` looks, and says what is wrong.
    requireHostHeader: false,
  });
  // The size of the headers bounds their number; Node's own limit would drop the rest without a word.
  server.maxHeadersCount = 0;
  server.maxConnections = config.maxConnections;
  // A client that does not read its answers is cut after this.
  server.timeout = 2 * config.requestTimeoutMs;
  const pipelines = new Pipelines();
  const latest = new LatestExchanges();
  const enter = (request: IncomingMessage, response: ServerResponse): void => {
    latest.note(request, response);
    pipelines.enter(request.socket, response);
  };
  const arrived = (arrival: Arrival): void => {
    enter(arrival.request, arrival.response);
    receive(context, arrival);
  };
  server.on('request', (request, response) => arrived({ request, response, expectsContinue: false }));
  server.on('checkContinue', (request, response) => arrived({ request, response, expectsContinue: true }));
  server.on('checkExpectation', (request, response) => {
    enter(request, response);
    refuseExpectation(context, { request, response, expectsContinue: true });
  });
  server.on('clientError', (error, socket) =>
    answerConnectionError(context, error, { socket: socket as Socket, state: latest.stateOf(socket) }),
  );
  server.on('connect', (_request, socket) => answerTunnel(context, socket));
  server.on('drop', () => acceptor.telemetry.cut('connectionLimit'));
  return server;
}
