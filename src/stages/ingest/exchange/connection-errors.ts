import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { connectionFault, type ConnectionError } from '../../../listener/connection-fault.ts';
import { endAfter, type ConnectionState } from '../../../listener/latest-exchanges.ts';
import { rawProblem } from './answers.ts';
import { discardLimit } from './http-config.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { connectionProblem, type Problem } from './problem.ts';

const lingerMs = 1_000;

/** A connection that cannot go on, and what it is doing. */
export interface BrokenConnection {
  readonly socket: Socket;
  readonly state: ConnectionState;
}

/**
 * Answers a broken or late request. An earlier request of the same connection that is still being stored gets its answer first
 * and alone: an answer out of turn would be taken for its own.
 */
export function answerConnectionError(
  context: ExchangeContext,
  error: ConnectionError,
  { socket, state }: BrokenConnection,
): void {
  const { acceptor, intakes, config } = context;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    // After our answer the rest of what was sent is read, so that the sender sees the answer, but not without end.
    const isLingering = socket.writableEnded && socket.bytesRead <= discardLimit(config);
    if (!isLingering || error.code === 'ECONNRESET') socket.destroy();
    return;
  }
  const problem = connectionProblem(connectionFault(error), config.maxHeaderBytes);
  switch (state.kind) {
    case 'idle':
      acceptor.telemetry.refused(problem.status, problem.error);
      endWith(context, socket, problem);
      return;
    case 'receiving':
      for (const exchange of intakes.senders()) if (exchange.response === state.response) exchange.cutWith(problem);
      return;
    case 'answering':
      acceptor.telemetry.cut('protocol');
      endAfter(socket, state.response);
      return;
    default:
      state satisfies never;
  }
}

/** Answers a method that asks for a tunnel, unless an earlier request of the connection has no answer yet. */
export function answerTunnel(
  { acceptor, routeNotFound }: ExchangeContext,
  { socket, state }: { readonly socket: Duplex; readonly state: ConnectionState },
): void {
  if (state.kind !== 'idle') {
    acceptor.telemetry.cut('protocol');
    endAfter(socket, state.response);
    return;
  }
  acceptor.telemetry.refused(routeNotFound.status, routeNotFound.error);
  socket.on('error', () => socket.destroy());
  socket.end(rawProblem(routeNotFound), () => socket.destroy());
}

function endWith({ acceptor, waiting }: ExchangeContext, socket: Socket, problem: Problem): void {
  const destroy = (): void => {
    socket.destroy();
  };
  socket.end(rawProblem(problem));
  acceptor.clock.sleep(lingerMs, waiting).then(destroy, destroy);
}
