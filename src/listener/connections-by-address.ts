import type { Socket } from 'node:net';
import type { SharedCounts } from '../core/shared-counts.ts';
import { senderNetwork } from '../core/sender-network.ts';

/** The part of a socket that is looked at. */
type Connection = Pick<Socket, 'remoteAddress'> & { once(event: 'close', listener: () => void): unknown };

/**
 * How many connections each address has, so that one of them does not take the place of all others (D8). Of IPv6 a /64 counts as one
 * address: whoever has one has all of it. The bound is that of all threads that listen at the place.
 */
export class ConnectionsByAddress {
  readonly #most: number;
  readonly #together: SharedCounts | undefined;
  readonly #counts = new Map<string, number>();

  /** `together`: with the other threads; absent: there are none. */
  constructor(most: number, together?: SharedCounts) {
    this.#most = most;
    this.#together = together;
  }

  /** Counts a connection until it closes; false when its address has as many as it may. */
  take(socket: Connection): boolean {
    const address = senderNetwork(socket.remoteAddress ?? '');
    const count = (this.#counts.get(address) ?? 0) + 1;
    // Told before it is looked at, so that of two threads never both take the last place.
    const isOver = this.#tell(address, count) > this.#most;
    if (isOver) this.#tell(address, count - 1);
    else {
      this.#set(address, count);
      socket.once('close', () => this.#leave(address));
    }
    return !isOver;
  }

  /** How many the address has in all threads. Of one that the others cannot be told of, each thread takes its share. */
  #tell(address: string, count: number): number {
    const together = this.#together;
    if (together === undefined) return count;
    return together.set(address, count) ? count + together.others(address) : count * together.threads;
  }

  #leave(address: string): void {
    const left = (this.#counts.get(address) ?? 0) - 1;
    this.#set(address, left);
    this.#tell(address, left);
  }

  #set(address: string, count: number): void {
    if (count > 0) this.#counts.set(address, count);
    else this.#counts.delete(address);
  }
}
