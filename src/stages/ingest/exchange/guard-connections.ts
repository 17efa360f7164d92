import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isTrusted } from '../../../core/sender-address.ts';
import { ConnectionsByAddress } from '../../../listener/connections-by-address.ts';
import type { ExchangeContext } from './exchange-context.ts';

/** How often it is told that connections are refused, at most. */
const tellingMs = 60_000;

/** D8: keeps connections that send nothing, or of which one sender has too many, from taking the place of others. */
export function guardConnections(server: Server, { config, acceptor, proxies }: ExchangeContext): void {
  const { telemetry, clock } = acceptor;
  const { maxConnections, maxConnectionsPerAddress, firstByteTimeoutMs } = config;
  const byAddress = new ConnectionsByAddress(maxConnectionsPerAddress);
  let toldAt = Number.NEGATIVE_INFINITY;
  const refused = (reason: 'connectionLimit' | 'addressLimit', most: number, address?: string): void => {
    telemetry.cut(reason);
    const now = clock.monotonic();
    if (now - toldAt < tellingMs) return;
    toldAt = now;
    telemetry.crowded(reason, most, address);
  };
  server.maxConnections = maxConnections;
  server.on('drop', () => refused('connectionLimit', maxConnections));
  server.on('connection', (socket) => {
    if (isTrusted(socket.remoteAddress ?? '', proxies) || byAddress.take(socket)) {
      socket.setTimeout(firstByteTimeoutMs);
    } else {
      refused('addressLimit', maxConnectionsPerAddress, socket.remoteAddress);
      socket.destroy();
    }
  });
  // Whoever listens for it decides what it means; without this Node would end the connection.
  server.on('timeout', (socket: Socket) => {
    const hasBegun = socket.timeout === firstByteTimeoutMs && socket.bytesRead > 0;
    if (hasBegun) {
      socket.setTimeout(server.timeout);
      return;
    }
    if (socket.bytesRead === 0) telemetry.cut('firstByte');
    socket.destroy();
  });
}
