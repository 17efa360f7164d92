import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { connectionFault, type ConnectionError } from '../../../listener/connection-fault.ts';
import { endAfter, type ConnectionState } from '../../../listener/latest-exchanges.ts';
import { rawProblem } from './answers.ts';
import { discardLimit } from './ingest-config.ts';
import type { IngestContext } from './ingest-context.ts';
import { connectionProblem, problems, type Problem } from './problem.ts';

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
  context: IngestContext,
  error: ConnectionError,
  { socket, state }: BrokenConnection,
): void {
  const { exchanges, telemetry, config } = context;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    // After our answer the rest of what was sent is read, so that the sender sees the answer, but not without end.
    const isLingering = socket.writableEnded && socket.bytesRead <= discardLimit(config);
    if (!isLingering || error.code === 'ECONNRESET') socket.destroy();
    return;
  }
  const problem = connectionProblem(connectionFault(error), config.maxHeaderBytes);
  switch (state.kind) {
    case 'idle':
      telemetry.refused(problem.status, problem.error);
      endWith(context, socket, problem);
      return;
    case 'receiving':
      for (const exchange of exchanges.open) if (exchange.response === state.response) exchange.cut(problem);
      return;
    case 'answering':
      telemetry.cut('protocol');
      endAfter(socket, state.response);
      return;
    default:
      state satisfies never;
  }
}

/** Answers a method that asks for a tunnel. */
export function answerTunnel(context: IngestContext, socket: Duplex): void {
  context.telemetry.refused(problems.routeNotFound.status, problems.routeNotFound.error);
  socket.on('error', () => socket.destroy());
  socket.end(rawProblem(problems.routeNotFound), () => socket.destroy());
}

function endWith({ clock, waiting }: IngestContext, socket: Socket, problem: Problem): void {
  const destroy = (): void => {
    socket.destroy();
  };
  socket.end(rawProblem(problem));
  clock.sleep(lingerMs, waiting).then(destroy, destroy);
}
