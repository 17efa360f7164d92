import type { Service } from '../core/service.ts';
import type { Configuration } from '../stages/replica/configuration.ts';

/** Keeps a configuration fresh for the stages of a thread. */
export class Following implements Service {
  readonly id = 'configuration';
  readonly #configuration: Configuration;
  readonly #leaving = new AbortController();

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
  }

  async run(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    try {
      await this.#configuration.follow({ signal: either });
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
