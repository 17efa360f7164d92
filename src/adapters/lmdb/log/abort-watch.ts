/** Something that waits and can be told that its caller gave up. */
export interface Abortable {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

/** Listens once to each signal for any number of waiting items: thousands of appends share a service's signal. */
export class AbortWatch<Item extends Abortable> {
  readonly #items = new WeakMap<AbortSignal, Set<Item>>();

  add(item: Item): void {
    const items = this.#items.get(item.signal) ?? this.#watch(item.signal);
    items.add(item);
  }

  delete(item: Item): void {
    this.#items.get(item.signal)?.delete(item);
  }

  #watch(signal: AbortSignal): Set<Item> {
    const items = new Set<Item>();
    this.#items.set(signal, items);
    const onAbort = (): void => {
      for (const item of items) item.abort(signal.reason);
      items.clear();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return items;
  }
}
