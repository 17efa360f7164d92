import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { LatestExchanges } from '../../../listener/latest-exchanges.ts';
import { Pipelines, pipelinedRequests } from '../../../listener/pipelines.ts';
import { Upgrades } from '../../../listener/upgrades.ts';
import { answerConnectionError, answerTunnel } from './connection-errors.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { guardConnections } from './guard-connections.ts';
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
  // Reception counts them; Node's own limit would drop the rest without a word.
  server.maxHeadersCount = 0;
  // A client that does not read its answers is cut after this.
  server.timeout = 2 * config.requestTimeoutMs;
  guardConnections(server, context);
  const pipelines = new Pipelines();
  const latest = new LatestExchanges();
  const upgrades = new Upgrades();
  /** False when the connection ends before the request, or had to be cut. */
  const enter = ({ request, response }: Pick<Arrival, 'request' | 'response'>): boolean => {
    if (!upgrades.admit(request, response)) return false;
    latest.note(request, response);
    const waiting = pipelines.enter(request.socket, response);
    if (waiting > 0) context.renewals.pipelined(request.socket);
    if (waiting === 0 || context.unsent.wait(response) || waiting <= pipelinedRequests) return true;
    acceptor.telemetry.cut('unreadAnswers');
    request.socket.destroy();
    return false;
  };
  const arrived = (arrival: Arrival): void => {
    if (enter(arrival)) receive(context, arrival);
  };
  server.on('request', (request, response) => arrived({ request, response, expectsContinue: false }));
  server.on('checkContinue', (request, response) => arrived({ request, response, expectsContinue: true }));
  server.on('checkExpectation', (request, response) => {
    const arrival = { request, response, expectsContinue: true };
    if (enter(arrival)) refuseExpectation(context, arrival);
  });
  server.on('clientError', (error, socket) =>
    answerConnectionError(context, error, { socket: socket as Socket, state: latest.stateOf(socket) }),
  );
  server.on('connect', (_request, socket) => answerTunnel(context, { socket, state: latest.stateOf(socket) }));
  return server;
}
