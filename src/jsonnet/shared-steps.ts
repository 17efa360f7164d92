/** Steps that evaluations share which follow one another, as those of the cells of a row do. */
export class SharedSteps {
  readonly most: number;
  #left: number;

  constructor(most: number) {
    this.most = most;
    this.#left = most;
  }

  get left(): number {
    return this.#left;
  }

  /** Lets the next evaluations have all of them, or fewer. */
  refill(most = this.most): void {
    this.#left = Math.min(most, this.most);
  }

  take(steps: number): void {
    this.#left = Math.max(0, this.#left - steps);
  }
}
