/** What a step may take of a body: some milliseconds. */
const step = { events: 1000, bytes: 128 * 1024 } as const;

/** Says when a split has done so much that others should have their turn. */
export class Pace {
  #events: number = step.events;
  #bytes: number = step.bytes;

  /** `at` is how far it is in the body, `events` how many it has found. */
  isStepDone(at: number, events: number): boolean {
    if (at < this.#bytes && events < this.#events) return false;
    this.#bytes = at + step.bytes;
    this.#events = events + step.events;
    return true;
  }
}
