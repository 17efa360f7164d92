/**
 * How many requests of one connection may wait behind another one. Then no more is read from it until half of them are
 * answered.
 */
export const pipelinedRequests = 64;

/** What of the socket of an HTTP server is needed here. */
export interface PausableConnection {
  pause(): unknown;
  resume(): unknown;
  on(event: 'resume', listener: () => void): unknown;
}

/** The part of a server's response that is needed here: it gets its socket when it is its turn to be sent. */
export interface QueuedAnswer {
  readonly socket: unknown;
  on(event: 'close', listener: () => void): unknown;
}

interface Pipeline {
  waiting: number;
  isHeld: boolean;
}

/**
 * D8: holds back HTTP clients that send requests faster than they are answered. Without it one connection could queue as
 * many requests as its sender is fast, and Node puts the answers of a queue in order at a cost that grows with its square.
 * What is read already, 64 KB at most, is still taken.
 */
export class Pipelines {
  readonly #byConnection = new WeakMap<PausableConnection, Pipeline>();

  /**
   * Counts a request if it waits for the answer to another one, and stops reading when too many do. Says how many wait, 0
   * when this one does not.
   */
  enter(connection: PausableConnection, answer: QueuedAnswer): number {
    if (answer.socket !== null) return 0;
    const pipeline = this.#byConnection.get(connection) ?? this.#watch(connection);
    pipeline.waiting += 1;
    if (pipeline.waiting >= pipelinedRequests && !pipeline.isHeld) {
      pipeline.isHeld = true;
      connection.pause();
    }
    answer.on('close', () => {
      pipeline.waiting -= 1;
      if (!pipeline.isHeld || pipeline.waiting > pipelinedRequests / 2) return;
      pipeline.isHeld = false;
      connection.resume();
    });
    return pipeline.waiting;
  }

  #watch(connection: PausableConnection): Pipeline {
    const pipeline: Pipeline = { waiting: 0, isHeld: false };
    this.#byConnection.set(connection, pipeline);
    // Every body that is received asks for the connection to go on.
    connection.on('resume', () => {
      if (pipeline.isHeld) connection.pause();
    });
    return pipeline;
  }
}
