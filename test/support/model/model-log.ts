/** One partition: records from `first` on; a trim takes the head. */
export class ModelLog<Entry> {
  first = 0;
  readonly #records: Entry[] = [];

  get end(): number {
    return this.first + this.#records.length;
  }

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  at(offset: number): Entry | undefined {
    return this.#records[offset - this.first];
  }

  last(): Entry | undefined {
    return this.#records.at(-1);
  }

  append(...entries: readonly Entry[]): void {
    this.#records.push(...entries);
  }

  replace(offset: number, entry: Entry): void {
    if (offset >= this.first) this.#records[offset - this.first] = entry;
  }

  trim(count: number): void {
    this.first += this.#records.splice(0, count).length;
  }
}
