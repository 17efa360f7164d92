/** The last rows by an order, of as many as come: no more than twice as many are held. */
export class LatestRows<Row> {
  readonly #most: number;
  readonly #compare: (one: Row, other: Row) => number;
  #rows: Row[] = [];
  #seen = 0;

  /** `compare` puts a later row behind an earlier one; rows that are alike stay in the order in which they came. */
  constructor(most: number, compare: (one: Row, other: Row) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  /** How many came. */
  get seen(): number {
    return this.#seen;
  }

  add(row: Row): void {
    this.#seen += 1;
    this.#rows.push(row);
    if (this.#rows.length >= 2 * this.#most) this.#rows = this.#last();
  }

  /** The last ones, ascending. */
  rows(): readonly Row[] {
    return this.#last();
  }

  #last(): Row[] {
    return this.#rows.toSorted(this.#compare).slice(-this.#most);
  }
}
