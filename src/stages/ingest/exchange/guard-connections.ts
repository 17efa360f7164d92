import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { limitConnections } from '../../../listener/limit-connections.ts';
import type { ExchangeContext } from './exchange-context.ts';

/** D8: keeps connections that send nothing, or of which one sender has too many, from taking the place of others. */
export function guardConnections(server: Server, { config, acceptor, proxies }: ExchangeContext): void {
  const { telemetry, clock } = acceptor;
  // No other timer of a socket has a half of a millisecond: by that it is told from them.
  const firstByteMs = config.firstByteTimeoutMs + 0.5;
  limitConnections(server, { ...config, proxies, clock, telemetry }, (socket) => socket.setTimeout(firstByteMs));
  // Whoever listens for it decides what it means; without this Node would end the connection.
  server.on('timeout', (socket: Socket) => {
    const hasBegun = socket.timeout === firstByteMs && socket.bytesRead > 0;
    if (hasBegun) socket.setTimeout(server.timeout);
    else cutIfSilent(socket, () => telemetry.cut('firstByte'));
  });
}

/** A thread that was held up hears of the time first and of what came meanwhile after it: that is read before the connection is cut. */
function cutIfSilent(socket: Socket, tellFirstByte: () => void): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.destroyed || socket.bytesRead > bytesRead) return;
    if (bytesRead === 0) tellFirstByte();
    socket.destroy();
  });
}
