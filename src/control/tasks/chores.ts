import type { Clock } from '../../core/clock.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** Work that waits for something and is looked at again until it is done. */
export interface Chore {
  /** Unique; a chore of the same name replaces the one that waits. */
  readonly name: string;
  /** True: done. False or a rejection: look again later. */
  attempt(options: Waiting): Promise<boolean>;
}

const everyMs = 1000;

/**
 * What operations leave to be finished later: tokens to revoke once everything is delivered, half-made things to remove
 * while the catalog was away. Nothing is kept on disk: `sweep` finds the same work again when a process takes the seat.
 */
export class Chores {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #waiting = new Map<string, Chore>();
  #wake: (() => void) | undefined;

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock;
    this.#log = log;
  }

  add(chore: Chore): void {
    this.#waiting.set(chore.name, chore);
    this.#wake?.();
  }

  /** Forgets everything: who holds the seat next finds it again. */
  clear(): void {
    this.#waiting.clear();
  }

  /** Works until the signal is aborted; sleeps without a timer while nothing waits. */
  async run({ signal }: Waiting): Promise<void> {
    while (!signal.aborted) {
      if (this.#waiting.size === 0) await this.#somethingToDo(signal);
      await this.round({ signal });
      if (this.#waiting.size > 0 && !signal.aborted)
        await this.#clock.sleep(everyMs, { signal }).catch(() => undefined);
    }
  }

  /** Looks at everything once. */
  async round({ signal }: Waiting): Promise<void> {
    for (const chore of this.#waiting.values()) {
      if (signal.aborted) return;
      try {
        if ((await chore.attempt({ signal })) && this.#waiting.get(chore.name) === chore)
          this.#waiting.delete(chore.name);
      } catch (thrown) {
        if (!signal.aborted) this.#log.debug({ chore: chore.name, err: thrown }, 'chore waits');
      }
    }
  }

  async #somethingToDo(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
    await promise;
    this.#wake = undefined;
  }
}
