/** Values by the keys of objects. Keys of items mostly come in one order, so the place behind that of the key before is tried first. */
export class ByKey<Value> {
  readonly #keys: string[] = [];
  readonly #values: Value[] = [];
  readonly #places = new Map<string, number>();

  get size(): number {
    return this.#keys.length;
  }

  /** The place of a key, in the order of adding; -1: there is none. */
  placeOf(key: string, expected: number): number {
    return this.#keys[expected] === key ? expected : (this.#places.get(key) ?? -1);
  }

  at(place: number): Value | undefined {
    return this.#values[place];
  }

  /** A key that is not there yet; returns its place. */
  add(key: string, value: Value): number {
    this.#places.set(key, this.#keys.length);
    this.#keys.push(key);
    return this.#values.push(value) - 1;
  }

  *[Symbol.iterator](): Iterator<[key: string, value: Value]> {
    for (const [place, value] of this.#values.entries()) yield [this.#keys[place] ?? '', value];
  }
}
