interface Sample {
  readonly accepted: number;
  readonly at: number;
}

const maxSamples = 1000;

/**
 * Tells the age of the oldest event that is not done yet, without reading it. It remembers when each count of accepted
 * events was first seen, and finds the earliest count above what is done. At most one period off.
 */
export class LagClock {
  #samples: Sample[] = [];

  /** Milliseconds; 0 when everything is done. Call it with counts that do not fall. */
  measure({ accepted, done, now }: { readonly accepted: number; readonly done: number; readonly now: number }): number {
    const last = this.#samples.at(-1);
    if (last === undefined || accepted > last.accepted) this.#samples.push({ accepted, at: now });
    const first = this.#samples.findIndex((sample) => sample.accepted > done);
    if (first === -1) {
      this.#samples = this.#samples.slice(-1);
      return 0;
    }
    this.#samples = this.#samples
      .slice(Math.max(0, first))
      .filter((_, index, all) => all.length <= maxSamples || index % 2 === 0);
    return now - (this.#samples[0]?.at ?? now);
  }
}
