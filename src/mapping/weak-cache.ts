/** Keeps what was made for a key for as long as somebody else holds it. */
export class WeakCache<Key, Kept extends object> {
  readonly #kept = new Map<Key, WeakRef<Kept>>();
  readonly #collected = new FinalizationRegistry<Key>((key) => {
    if (this.#kept.get(key)?.deref() === undefined) this.#kept.delete(key);
  });

  get(key: Key, make: () => Kept): Kept {
    const known = this.#kept.get(key)?.deref();
    if (known !== undefined) return known;
    const made = make();
    this.#kept.set(key, new WeakRef(made));
    this.#collected.register(made, key);
    return made;
  }
}
