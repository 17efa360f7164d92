import type { Service } from '../core/service.ts';
import type { Definitions } from '../stages/replica/definitions.ts';

/** Keeps fresh what the stages of a thread know of the configuration. */
export class Following implements Service {
  readonly id = 'configuration';
  readonly #known: Definitions;
  readonly #leaving = new AbortController();

  constructor(known: Definitions) {
    this.#known = known;
  }

  async run(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    try {
      await this.#known.follow({ signal: either });
    } catch (thrown) {
      if (!either.aborted) throw thrown;
    }
  }

  async drain(): Promise<void> {
    this.#leaving.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
  }
}
