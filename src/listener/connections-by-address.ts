import type { Socket } from 'node:net';
import { senderNetwork } from '../core/sender-network.ts';

/** The part of a socket that is looked at. */
type Connection = Pick<Socket, 'remoteAddress'> & { once(event: 'close', listener: () => void): unknown };

/**
 * How many connections each address has, so that one of them does not take the place of all others (D8). Of IPv6 a /64 counts as one
 * address: whoever has one has all of it.
 */
export class ConnectionsByAddress {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a connection until it closes; false when its address has as many as it may. */
  take(socket: Connection): boolean {
    const address = senderNetwork(socket.remoteAddress ?? '');
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#most) return false;
    this.#counts.set(address, count + 1);
    socket.once('close', () => this.#leave(address));
    return true;
  }

  #leave(address: string): void {
    const left = (this.#counts.get(address) ?? 0) - 1;
    if (left > 0) this.#counts.set(address, left);
    else this.#counts.delete(address);
  }
}
