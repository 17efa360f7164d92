import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { rawProblem } from './answers.ts';
import { discardLimit } from './ingest-config.ts';
import type { IngestContext } from './ingest-context.ts';
import { headerTooLarge, invalidHttp, problems, type Problem } from './problem.ts';

/** What Node's HTTP server says about a connection that it cannot go on with. */
export type ConnectionError = Error & { readonly code?: string; readonly reason?: string };

const lingerMs = 1_000;

/**
 * Answers a broken or late request. An earlier request of the same connection that is still being stored gets its answer first
 * and alone: an answer out of turn would be taken for its own.
 */
export function answerConnectionError(context: IngestContext, error: ConnectionError, socket: Socket): void {
  const { exchanges, telemetry, config } = context;
  const own = [...exchanges.open].filter((exchange) => exchange.socket === socket);
  const problem = problemOf(error, config.maxHeaderBytes);
  if (error.code === 'ECONNRESET' || !socket.writable) {
    // After our answer the rest of what was sent is read, so that the sender sees the answer, but not without end.
    const isLingering = socket.writableEnded && socket.bytesRead <= discardLimit(config);
    if (!isLingering || error.code === 'ECONNRESET') socket.destroy();
    return;
  }
  const reading = own.find(({ isReading }) => isReading);
  const last = own.at(-1);
  if (reading !== undefined) {
    reading.cut(problem);
  } else if (last !== undefined) {
    telemetry.cut('protocol');
    last.closeAfterwards();
  } else {
    telemetry.refused(problem.status, problem.error);
    endWith(context, socket, problem);
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

function problemOf({ code = '', reason, message }: ConnectionError, maxHeaderBytes: number): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headerTooLarge(maxHeaderBytes);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problems.requestTimeout;
    case 'HPE_INVALID_EOF_STATE':
      return invalidHttp('the connection ended in the middle of it');
    default:
      return invalidHttp(reason ?? message.replace(/^Parse Error: /, ''));
  }
}
