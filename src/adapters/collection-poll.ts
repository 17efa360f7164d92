import type { Collection } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';

/** What a collection's counter looks like; another text means that something may have changed. */
export type CollectionStates = ReadonlyMap<Collection, string>;

export interface CollectionPollOptions {
  /** How often the states are read while somebody waits. */
  readonly pollMs: number;
  /** One small query for all collections. */
  readonly read: (options: Waiting) => Promise<CollectionStates>;
}

interface Waiter {
  readonly collection: Collection;
  readonly seen: string;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Lets readers wait for a change of a collection by other processes: one poll for all of them, none when nobody waits. */
export class CollectionPoll {
  readonly #options: CollectionPollOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(options: CollectionPollOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the state of the collection differs from `seen`, when this process announces a change, or after `ms`;
   * rejects with the signal's reason, or with the failure of a read.
   */
  async wait(at: { readonly collection: Collection; readonly seen: string; readonly ms: number }, { signal }: Waiting) {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { collection: at.collection, seen: at.seen, resolve, reject };
    const onAbort = (): void => reject(signal.reason);
    const timer = setTimeout(resolve, at.ms);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiters.add(waiter);
    this.#schedule();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#waiters.delete(waiter);
      if (this.#waiters.size === 0) {
        clearTimeout(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  /** Wakes who waits for this collection: this process has changed it. */
  announce(collection: Collection): void {
    for (const waiter of this.#waiters) if (waiter.collection === collection) waiter.resolve();
  }

  /** Wakes everybody; resolves when no read is under way. */
  async close(): Promise<void> {
    for (const { resolve } of this.#waiters) resolve();
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#reading;
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#reading !== undefined || this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#reading = this.#poll().finally(() => {
        this.#reading = undefined;
        if (this.#waiters.size > 0) this.#schedule();
      });
    }, this.#options.pollMs);
  }

  async #poll(): Promise<void> {
    try {
      const states = await this.#options.read({ signal: this.#closing.signal });
      for (const { collection, seen, resolve } of this.#waiters) if ((states.get(collection) ?? '') !== seen) resolve();
    } catch (thrown) {
      for (const { reject } of this.#waiters) reject(thrown);
    }
  }
}
