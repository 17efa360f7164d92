import { backoffMs, type BackoffPolicy } from '../core/backoff.ts';
import type { Clock } from '../core/clock.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { Service } from '../core/service.ts';

export interface SuperviseOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly retry: BackoffPolicy;
  /** The service ended with an error and starts again after `retryInMs`. */
  readonly onFailure: (failure: {
    readonly service: string;
    readonly error: MillraceError;
    readonly attempt: number;
    readonly retryInMs: number;
  }) => void;
  readonly signal: AbortSignal;
}

const healthyMs = 60_000;

/** A service that is kept running: whenever it fails it is made anew, after a pause that grows while it keeps failing. */
export class Supervised implements AsyncDisposable {
  readonly #make: () => Service;
  readonly #options: SuperviseOptions;
  readonly #leaving = new AbortController();
  readonly #ended: Promise<void>;
  #current: Service | undefined;
  #isDraining = false;
  #isFailing = false;

  constructor(make: () => Service, options: SuperviseOptions) {
    this.#make = make;
    this.#options = options;
    this.#ended = this.#run();
  }

  /** False from a failure until the service runs again. */
  get isHealthy(): boolean {
    return !this.#isFailing;
  }

  /** Drains the service; resolves when it has ended. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.#current?.drain();
    if (this.#isFailing) this.#leaving.abort();
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDraining = true;
    this.#leaving.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { clock, signal } = this.#options;
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    for (let attempt = 0; !this.#isDraining && !either.aborted;) {
      const began = clock.monotonic();
      const error = await this.#life(either);
      if (this.#isDraining || either.aborted) return;
      attempt = clock.monotonic() - began > healthyMs ? 1 : attempt + 1;
      await this.#pause(error, attempt, either);
    }
  }

  /** Runs one instance to its end; answers why it failed. One that ends though nobody asked has failed, too. */
  async #life(signal: AbortSignal): Promise<MillraceError> {
    let service: Service | undefined;
    try {
      service = this.#make();
      this.#current = service;
      this.#isFailing = false;
      await service.run(signal);
      return new MillraceError('internal.bug', `service "${service.id}" ended by itself`);
    } catch (thrown) {
      return MillraceError.fromUnknown(thrown);
    } finally {
      await service?.[Symbol.asyncDispose]();
    }
  }

  async #pause(error: MillraceError, attempt: number, signal: AbortSignal): Promise<void> {
    const { clock, random, retry, onFailure } = this.#options;
    this.#isFailing = true;
    const retryInMs = backoffMs(attempt, retry, random());
    onFailure({ service: this.#current?.id ?? 'unknown', error, attempt, retryInMs });
    try {
      await clock.sleep(retryInMs, { signal });
    } catch {
      // Leaving: the loop sees the signal.
    }
  }
}
