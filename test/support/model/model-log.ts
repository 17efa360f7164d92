/** One partition: records from `first` on; a trim takes the head, and damage any of them. */
export class ModelLog<Entry> {
  first = 0;
  readonly #records: (Entry | undefined)[] = [];

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
    return this.#records.findLast((record) => record !== undefined);
  }

  append(...entries: readonly Entry[]): void {
    this.#records.push(...entries);
  }

  replace(offset: number, entry: Entry): void {
    if (offset >= this.first) this.#records[offset - this.first] = entry;
  }

  lose(offset: number): void {
    if (offset >= this.first && offset < this.end) this.#records[offset - this.first] = undefined;
  }

  /** Loses what stands from the offset on. */
  cut(from: number): void {
    this.#records.splice(Math.max(0, from - this.first));
  }

  trim(count: number): void {
    this.first += this.#records.splice(0, count).length;
  }
}
