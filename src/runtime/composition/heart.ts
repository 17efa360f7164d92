import type { Supervised } from '../supervise.ts';
import type { FromThread } from './thread-messages.ts';

/** Pause between two beats of a thread. */
export const beatMs = 1000;

/**
 * Tells the main thread again and again that this thread's event loop turns, how many rounds the loop of its role has made, and
 * which of its services fail.
 */
export class Heart implements Disposable {
  readonly #say: (message: FromThread) => void;
  readonly #services: Supervised[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(say: (message: FromThread) => void) {
    this.#say = say;
    this.#timer = setInterval(() => this.beat(), beatMs).unref();
  }

  /**
   * From now on a beat tells of this service, too. The first beat is sent here, so that a role which hangs as it starts
   * is not taken for a thread that still loads.
   */
  watch<Kind extends Supervised>(service: Kind): Kind {
    this.#services.push(service);
    this.beat();
    return service;
  }

  beat(): void {
    const failures = this.#services.flatMap(({ current, failure }) =>
      failure === undefined ? [] : [`"${current.id}" failed and starts again: ${failure.message}`],
    );
    const rounds = this.#services.map(({ current }) => current.rounds).find((count) => count !== undefined);
    this.#say({ kind: 'beat', rounds, failures, isPausing: this.#services.some(({ isPausing }) => isPausing) });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
