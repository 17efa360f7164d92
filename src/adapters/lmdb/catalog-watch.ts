import { BroadcastChannel } from 'node:worker_threads';
import { collections, type Collection } from '../../ports/catalog.ts';

/** Tells readers that wait, in this thread and in the others of the process, that a collection has changed. */
export class CatalogWatch {
  readonly #channel: BroadcastChannel;
  readonly #waiting = new Map<Collection, Set<() => void>>();
  readonly #rescanMs: number;
  #rescan: NodeJS.Timeout | undefined;

  /** `path`: the real path of the environment, the same in all threads. `rescanMs`: how often readers look by themselves. */
  constructor(path: string, rescanMs: number) {
    this.#rescanMs = rescanMs;
    this.#channel = new BroadcastChannel(`millrace-catalog:${path}`);
    this.#channel.addEventListener('message', (event) => {
      if (event instanceof MessageEvent) this.#wake(collectionsIn(event.data));
    });
    this.#channel.unref();
  }

  /** Wakes readers everywhere; call it once the change is visible. */
  announce(changed: readonly Collection[]): void {
    this.#wake(changed);
    this.#channel.postMessage(changed);
  }

  /** Resolves when the collection may have changed, or after `ms`; rejects with the signal's reason. */
  async wait(collection: Collection, ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    this.#add(collection, resolve);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#delete(collection, resolve);
    }
  }

  /** Wakes everybody and tells nothing any more. */
  close(): void {
    this.#wake(collections);
    this.#channel.close();
  }

  #wake(changed: readonly Collection[]): void {
    for (const collection of changed) for (const resolve of this.#waiting.get(collection) ?? []) resolve();
  }

  #add(collection: Collection, resolve: () => void): void {
    const set = this.#waiting.get(collection) ?? new Set();
    this.#waiting.set(collection, set.add(resolve));
    this.#rescan ??= setInterval(() => this.#wake([...this.#waiting.keys()]), this.#rescanMs).unref();
  }

  #delete(collection: Collection, resolve: () => void): void {
    const set = this.#waiting.get(collection);
    set?.delete(resolve);
    if (set?.size === 0) this.#waiting.delete(collection);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#rescan);
    this.#rescan = undefined;
  }
}

function collectionsIn(message: unknown): readonly Collection[] {
  return Array.isArray(message) ? collections.filter((collection) => message.includes(collection)) : [];
}
