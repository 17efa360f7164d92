import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So many requests of one connection may wait behind another one; then no more of it is read until half are answered. */
export const pipelinedRequests = 64;

interface Pipeline {
  waiting: number;
  isHeld: boolean;
}

/**
 * Holds back clients that send requests faster than they are answered. Without it one connection could queue as many
 * requests as its sender is fast, and the answers of a queue are put in order at a cost that grows with its square.
 * What Node has read already, 64 KB at most, is still taken.
 */
export class Pipelines {
  readonly #bySocket = new WeakMap<Socket, Pipeline>();

  /** Counts a request if it waits for the answer to another one, and stops reading when too many do. */
  enter(socket: Socket, response: ServerResponse): void {
    // Node gives a response its socket when it is its turn: whoever has one waits for nobody.
    if (response.socket !== null) return;
    const pipeline = this.#bySocket.get(socket) ?? this.#watch(socket);
    pipeline.waiting += 1;
    if (pipeline.waiting >= pipelinedRequests && !pipeline.isHeld) {
      pipeline.isHeld = true;
      socket.pause();
    }
    response.on('close', () => {
      pipeline.waiting -= 1;
      if (!pipeline.isHeld || pipeline.waiting > pipelinedRequests / 2) return;
      pipeline.isHeld = false;
      socket.resume();
    });
  }

  #watch(socket: Socket): Pipeline {
    const pipeline: Pipeline = { waiting: 0, isHeld: false };
    this.#bySocket.set(socket, pipeline);
    // Every body that is received asks for the socket to go on.
    socket.on('resume', () => {
      if (pipeline.isHeld) socket.pause();
    });
    return pipeline;
  }
}
