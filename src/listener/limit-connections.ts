import type { Server, Socket } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { isTrusted, type TrustedProxies } from '../core/sender-address.ts';
import { ConnectionsByAddress } from './connections-by-address.ts';

/** How often it is told that connections are refused, at most. */
const tellingMs = 60_000;

type Reason = 'connectionLimit' | 'addressLimit';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** From one address that is no trusted proxy. */
  readonly maxConnectionsPerAddress: number;
}

export interface LimitedConnections extends ConnectionLimits {
  readonly proxies: TrustedProxies;
  readonly clock: Clock;
  readonly telemetry: {
    cut(reason: Reason): void;
    crowded(reason: Reason, most: number, address?: string): void;
  };
}

/** D8: one sender cannot take the place of all others. Who may stay is told to `admit`. */
export function limitConnections(server: Server, limits: LimitedConnections, admit: (socket: Socket) => void): void {
  const { maxConnections, maxConnectionsPerAddress, proxies, clock, telemetry } = limits;
  const byAddress = new ConnectionsByAddress(maxConnectionsPerAddress);
  let toldAt = Number.NEGATIVE_INFINITY;
  const refused = (reason: Reason, most: number, address?: string): void => {
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
      admit(socket);
    } else {
      refused('addressLimit', maxConnectionsPerAddress, socket.remoteAddress);
      socket.destroy();
    }
  });
}
