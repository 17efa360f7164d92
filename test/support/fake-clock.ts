import type { Clock } from '../../src/core/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that stands still until the test moves it. The wall may jump; the monotonic one only goes on. */
export class FakeClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #wall: number;
  #monotonic = 0;

  constructor(wall = Date.UTC(2024, 5, 1)) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  async sleep(ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { at: this.#monotonic + ms, wake: resolve };
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#sleepers.add(sleeper);
    try {
      await promise;
    } finally {
      this.#sleepers.delete(sleeper);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Both times go on; whoever has slept long enough wakes up. */
  advance(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
    for (const sleeper of this.#sleepers) if (sleeper.at <= this.#monotonic) sleeper.wake();
  }

  /** Somebody sets the clock on the wall: by so much forward, or back. */
  jump(ms: number): void {
    this.#wall += ms;
  }
}
