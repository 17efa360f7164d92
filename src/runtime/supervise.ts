import type { Clock } from '../core/clock.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { RetryPacing } from '../core/retry-pacing.ts';
import type { Service } from '../core/service.ts';

export interface SuperviseOptions {
  readonly clock: Clock;
  readonly retry: RetryPacing;
  /** The service ended with an error and starts again after `retryInMs`. */
  readonly onFailure: (failure: {
    readonly service: string;
    readonly error: MillraceError;
    readonly attempt: number;
    readonly retryInMs: number;
  }) => void;
  readonly signal: AbortSignal;
}

/** Keeps what `make` makes running, for as long as the process, or the thread, does. */
export type Supervise = <Kind extends Service>(make: () => Kind) => Supervised<Kind>;

const healthyMs = 60_000;

/** A service that is kept running: whenever it fails it is made anew, after a pause that grows while it keeps failing. */
export class Supervised<Kind extends Service = Service> implements AsyncDisposable {
  readonly #make: () => Kind;
  readonly #options: SuperviseOptions;
  readonly #leaving = new AbortController();
  readonly #ended: Promise<void>;
  #current: Kind;
  #isDraining = false;
  #isPausing = false;
  #failure: MillraceError | undefined;

  /** Throws what `make` throws the first time. */
  constructor(make: () => Kind, options: SuperviseOptions) {
    this.#make = make;
    this.#options = options;
    this.#current = make();
    this.#ended = this.#run();
  }

  /** The service as it is now; during a pause, the one that failed. */
  get current(): Kind {
    return this.#current;
  }

  /** Why the service failed, from then until it runs again and is ready. */
  get failure(): MillraceError | undefined {
    return this.#failure;
  }

  /** It failed, is closed, and waits for its next try. */
  get isPausing(): boolean {
    return this.#isPausing;
  }

  /** Drains the service; resolves when it has ended. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#isPausing) this.#leaving.abort();
    else await this.#current.drain();
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
    let make = (): Kind => this.#current;
    for (let attempt = 0; !this.#isDraining && !either.aborted;) {
      const began = clock.monotonic();
      const error = await this.#life(make, either);
      if (this.#isDraining || either.aborted) return;
      attempt = clock.monotonic() - began > healthyMs ? 1 : attempt + 1;
      await this.#pause(error, attempt, either);
      make = this.#make;
    }
  }

  /** Runs one instance to its end; answers why it failed. One that ends though nobody asked has failed, too. */
  async #life(make: () => Kind, signal: AbortSignal): Promise<MillraceError> {
    let failure: MillraceError | undefined;
    try {
      await using service = make();
      this.#current = service;
      failure = await this.#failureOf(service, signal);
      // Closing may take long, and it does nothing any more.
      if (!this.#isDraining && !signal.aborted) this.#failure = failure;
      return failure;
    } catch (thrown) {
      return failure ?? MillraceError.fromUnknown(thrown);
    }
  }

  async #failureOf(service: Kind, signal: AbortSignal): Promise<MillraceError> {
    const running = new AbortController();
    try {
      void this.#healthyWhenReady(service, running.signal);
      await service.run(signal);
      return new MillraceError('internal.bug', `service "${service.id}" ended by itself`);
    } catch (thrown) {
      return MillraceError.fromUnknown(thrown);
    } finally {
      running.abort();
    }
  }

  async #healthyWhenReady({ ready }: Service, running: AbortSignal): Promise<void> {
    try {
      if (ready !== undefined) await ready;
    } catch {
      // It failed before it was ready: its run says why.
      return;
    }
    if (!running.aborted) this.#failure = undefined;
  }

  async #pause(error: MillraceError, attempt: number, signal: AbortSignal): Promise<void> {
    const { clock, retry, onFailure } = this.#options;
    this.#failure = error;
    this.#isPausing = true;
    const retryInMs = retry.pauseMs(attempt);
    onFailure({ service: this.#current.id, error, attempt, retryInMs });
    try {
      await clock.sleep(retryInMs, { signal });
    } catch {
      // Leaving: the loop sees the signal.
    } finally {
      this.#isPausing = false;
    }
  }
}
