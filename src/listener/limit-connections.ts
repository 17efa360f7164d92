import type { Server, Socket } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { isTrusted, type TrustedProxies } from '../core/sender-address.ts';
import type { SharedSum } from '../core/shared-sum.ts';
import type { SharedTally } from '../core/shared-tally.ts';
import { ConnectionsByAddress } from './connections-by-address.ts';

/** How often it is told that connections are refused, at most. */
const tellingMs = 60_000;

type Reason = 'connectionLimit' | 'addressLimit';

export interface ConnectionLimits {
  readonly maxConnections: number;
  /** From one address that is no trusted proxy. */
  readonly maxConnectionsPerAddress: number;
  /** With the threads that listen at the same place: the bounds are those of all. Absent: there are none. */
  readonly together?: SharedTally | undefined;
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
  const { maxConnections, maxConnectionsPerAddress, together, proxies, clock, telemetry } = limits;
  const byAddress = new ConnectionsByAddress(maxConnectionsPerAddress, together?.byName);
  let toldAt = Number.NEGATIVE_INFINITY;
  const refused = (reason: Reason, most: number, address?: string): void => {
    telemetry.cut(reason);
    const now = clock.monotonic();
    if (now - toldAt < tellingMs) return;
    toldAt = now;
    telemetry.crowded(reason, most, address);
  };
  const isFull = together === undefined ? () => false : countTogether(together.all, maxConnections);
  server.maxConnections = maxConnections;
  server.on('drop', () => refused('connectionLimit', maxConnections));
  server.on('connection', (socket) => {
    if (isFull(socket)) {
      refused('connectionLimit', maxConnections);
      socket.destroy();
    } else if (isTrusted(socket.remoteAddress ?? '', proxies) || byAddress.take(socket)) {
      admit(socket);
    } else {
      refused('addressLimit', maxConnectionsPerAddress, socket.remoteAddress);
      socket.destroy();
    }
  });
}

/** Counts each connection until it closes; answers whether all threads have too many with this one. */
function countTogether(all: SharedSum, most: number): (socket: Socket) => boolean {
  let own = 0;
  const count = (more: number): void => {
    own += more;
    all.set(own);
  };
  return (socket) => {
    count(1);
    socket.once('close', () => count(-1));
    return own + all.others > most;
  };
}
