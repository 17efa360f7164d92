import type { ServerResponse } from 'node:http';
import type { InFlight } from '../accept/in-flight.ts';

/** About what a request takes in the heap of Node while its answer waits for its turn. */
const waitingBytes = 4096;

/**
 * Bytes of answers that are not with the operating system yet: they count in memory for as long as their sender does not
 * read them (D8), at most until its connection is gone.
 */
export class UnsentAnswers {
  readonly #inFlight: InFlight;

  constructor(inFlight: InFlight) {
    this.#inFlight = inFlight;
  }

  /** Counts what an answer will take; false when there is no room for it. */
  hold(response: ServerResponse, bytes: number): boolean {
    if (bytes === 0 || response.closed) return true;
    if (!this.#inFlight.add(bytes)) return false;
    this.#removeAtEnd(response, bytes);
    return true;
  }

  /** Counts a request whose answer waits behind those of others; false when there is no room left. */
  wait(response: ServerResponse): boolean {
    this.#inFlight.count(waitingBytes);
    this.#removeAtEnd(response, waitingBytes);
    return !this.#inFlight.isOver;
  }

  #removeAtEnd(response: ServerResponse, bytes: number): void {
    response.once('close', () => this.#inFlight.remove(bytes));
  }
}
