/** In one round of a partition, the sinks that use up their time have so much of it together, and what the last of them takes. */
const roundMs = 300;

/**
 * Which sinks of a partition have their turn in a round. However many of them have templates that take long, the other partitions of
 * the thread wait for a few only; who was served longest ago is the first. A sink whose templates are quick is not counted.
 */
export class SinkTurns<Sink extends object> {
  readonly #servedIn = new WeakMap<Sink, number>();
  #round = 0;
  #leftMs = roundMs;

  /** The sinks of a round, in the order of their turns; it ends when its time is over, and then the others stay where they stand. */
  *of(sinks: readonly Sink[]): Generator<Sink, void> {
    this.#round += 1;
    this.#leftMs = roundMs;
    const last = (sink: Sink): number => this.#servedIn.get(sink) ?? 0;
    for (const sink of sinks.toSorted((one, other) => last(one) - last(other))) {
      if (this.#leftMs <= 0) return;
      this.#servedIn.set(sink, this.#round);
      yield sink;
    }
  }

  /** A sink has used up its time. */
  usedUp(ms: number): void {
    this.#leftMs -= ms;
  }
}
