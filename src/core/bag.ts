/** What a `Bag` holds; it can be in one bag at a time. */
export interface Bagged {
  /** Kept by the bag: its index there, below 0 while it is in none. */
  place: number;
}

/**
 * Items that come and go in constant time, in no order. For those of a hot path it stands in for a `Set`: that leaves a table behind
 * each time it makes another, with a link to the next one, so that a table which has become old keeps everything that later ones
 * held from the quick collections of the engine (every request, until a full one).
 */
export class Bag<Item extends Bagged> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** Does nothing to an item that is in a bag. */
  add(item: Item): void {
    if (item.place >= 0) return;
    item.place = this.#items.length;
    this.#items.push(item);
  }

  /** Does nothing to an item that is in no bag, or in another one. */
  delete(item: Item): void {
    if (!this.has(item)) return;
    const last = this.#items.pop();
    if (last !== undefined && last !== item) {
      this.#items[item.place] = last;
      last.place = item.place;
    }
    item.place = -1;
  }

  has(item: Item): boolean {
    return this.#items[item.place] === item;
  }

  /** The items that are there now, whatever comes and goes while they are looked at. */
  [Symbol.iterator](): Iterator<Item> {
    return [...this.#items][Symbol.iterator]();
  }
}
