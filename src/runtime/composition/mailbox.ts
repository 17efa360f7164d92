import type { MessagePort } from 'node:worker_threads';
import type { ToThread } from './thread-messages.ts';

/** What a thread is told, also before it has somebody who hears it. */
export class Mailbox implements Disposable {
  readonly #port: MessagePort;
  readonly #waiting: ToThread[] = [];
  #hear = (message: ToThread): void => void this.#waiting.push(message);
  readonly #take = (message: ToThread): void => this.#hear(message);

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', this.#take);
  }

  /** From now on each message is heard, those that waited first. */
  open(hear: (message: ToThread) => void): void {
    this.#hear = hear;
    this.#waiting.splice(0).forEach(hear);
  }

  [Symbol.dispose](): void {
    this.#port.off('message', this.#take);
  }
}
