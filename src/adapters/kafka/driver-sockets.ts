import { connect, isIP, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

const keepAliveMs = 60_000;
/** A driver that disconnects waits for nothing that takes longer. */
const disconnectMs = 5000;

/**
 * All sockets of one driver. kafkajs forgets connections: of brokers that vanish and come back while it refreshes its metadata twice
 * at once, one copy stays connected and belongs to nobody. Its own disconnect then leaves a socket that keeps the process for ever, and
 * so does the timer of such a connection, which ends only with an error of its socket.
 */
export class DriverSockets {
  readonly #open = new Set<Socket>();
  #isEnded = false;

  /** Makes sockets as kafkajs does by itself. */
  readonly factory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = isGiven(ssl)
      ? connectTls({ host, port, ...servername, ...ssl }, onConnect)
      : connect({ host, port }, onConnect);
    socket.setKeepAlive(true, keepAliveMs);
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    if (this.#isEnded) this.#end(socket);
    return socket;
  };

  get count(): number {
    return this.#open.size;
  }

  /** Waits until the driver has disconnected, or does not get on with it, and ends what is left. Rejects as `disconnected` does. */
  async endAfter(disconnected: Promise<unknown>): Promise<void> {
    const patience = new AbortController();
    const late = sleep(disconnectMs, undefined, { signal: patience.signal }).catch(() => undefined);
    try {
      await Promise.race([disconnected, late]);
    } finally {
      patience.abort();
      this.#isEnded = true;
      for (const socket of this.#open) this.#end(socket);
    }
  }

  /** By an error: of anything else the driver is not told. */
  #end(socket: Socket): void {
    this.#open.delete(socket);
    // The driver may have taken its own listener away.
    socket.on('error', () => undefined);
    socket.destroy(new Error('the log is closed'));
  }
}

/** kafkajs's types say that there always are options of TLS; without TLS there are none. */
function isGiven(ssl: unknown): boolean {
  return typeof ssl === 'object' && ssl !== null;
}
