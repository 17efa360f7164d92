import { Bag, type Bagged } from '../../../core/bag.ts';
/** Something that waits and can be told that its caller gave up. */
export interface Abortable extends Bagged {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

/** Listens once to each signal for any number of waiting items: thousands of appends share a service's signal. */
export class AbortWatch<Item extends Abortable> {
  readonly #items = new WeakMap<AbortSignal, Bag<Item>>();

  add(item: Item): void {
    const items = this.#items.get(item.signal) ?? this.#watch(item.signal);
    items.add(item);
  }

  delete(item: Item): void {
    this.#items.get(item.signal)?.delete(item);
  }

  #watch(signal: AbortSignal): Bag<Item> {
    const items = new Bag<Item>();
    this.#items.set(signal, items);
    const onAbort = (): void => {
      for (const item of items) {
        items.delete(item);
        item.abort(signal.reason);
      }
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return items;
  }
}
