import type { Socket } from 'node:net';

/**
 * Connections that end with their next answer, so that their senders make new ones: where threads listen at one place, the system gives
 * one that has just begun its part of new connections alone. A connection whose sender does not wait for answers is left as it is: it
 * may have sent more by then, of which nobody would tell him what became.
 */
export class Renewals {
  #due: WeakSet<Socket> | undefined;
  readonly #pipelined = new WeakSet<Socket>();

  /** These are due from now on; who was due before stays so. */
  begin(sockets: Iterable<Socket>): void {
    this.#due ??= new WeakSet();
    for (const socket of sockets) this.#due.add(socket);
  }

  /** A request of this connection came before the answer to another one. */
  pipelined(socket: Socket): void {
    this.#pipelined.add(socket);
  }

  /** The answer that is sent now is the connection's last one. */
  isDue(socket: Socket): boolean {
    return this.#due !== undefined && this.#due.has(socket) && !this.#pipelined.has(socket);
  }
}
