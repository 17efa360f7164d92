import { statfs } from 'node:fs/promises';
import type { Clock } from '../../core/clock.ts';
import type { Service } from '../../core/service.ts';

export interface DiskGuardOptions {
  readonly path: string;
  /** Kept free so that what was accepted can still become rows. */
  readonly reserveBytes: number;
  readonly clock: Clock;
  readonly everyMs: number;
}

/** Watches the free space of the data folder: below the reserve, new events are refused (D8). */
export class DiskGuard implements Service {
  readonly id = 'disk-guard';
  readonly #options: DiskGuardOptions;
  readonly #leaving = new AbortController();
  readonly #listeners = new Set<() => void>();
  #isFull = false;

  constructor(options: DiskGuardOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Calls back when `isFull` changes. */
  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    while (!either.aborted) {
      try {
        await this.look();
      } catch {
        // What cannot be measured stays as it was: an append that finds no space says so itself.
      }
      try {
        await this.#options.clock.sleep(this.#options.everyMs, { signal: either });
      } catch {
        return;
      }
    }
  }

  async look(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#options.path);
    const isFull = bavail * bsize < this.#options.reserveBytes;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    for (const listener of this.#listeners) listener();
  }

  async drain(): Promise<void> {
    this.#leaving.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
  }
}
