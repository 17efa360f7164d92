import type { Socket } from 'node:net';

interface Listening {
  /** Connections that are open now. */
  readonly sockets: Iterable<Socket>;
  readonly ended: Promise<unknown>;
}

/**
 * Closes the connections of a listener that has not ended when its thread does, by itself or of an error. In the turn in which a
 * thread ends Node still reads from its sockets, but runs no JavaScript: a call that begins then would be the end of the whole
 * process (docs/upstream/node-http2-ending-thread.md).
 */
export function closeAtExit(listener: Listening): void {
  const close = (): void => {
    for (const socket of listener.sockets) socket.destroy();
  };
  const forget = (): void => void process.off('exit', close);
  process.on('exit', close);
  listener.ended.then(forget, forget);
}
