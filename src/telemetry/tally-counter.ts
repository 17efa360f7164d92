import { Counter } from 'prom-client';

/** Counts for one set of labels. */
export interface Tally {
  /** By 1, or by `count`, which is no less than 0. Costs no more than an addition. */
  inc(count?: number): void;
}

/**
 * A counter whose tallies are summed up when somebody reads it: the library finds the series of a set of labels by a text that it makes
 * of them each time, which costs more than an event's worth of counting.
 */
export class TallyCounter<Label extends string = string> extends Counter<Label> {
  /** Those that have counted since the last reading. */
  readonly #counted: LabelTally<Label>[] = [];

  /** For whoever counts often: it may be kept for as long as wanted. */
  tally(labels: Readonly<Record<Label, string>>): Tally {
    return new LabelTally(labels, this.#counted);
  }

  override async get(): ReturnType<Counter<Label>['get']> {
    for (const tally of this.#counted.splice(0)) this.inc(tally.labels, tally.take());
    return await super.get();
  }
}

class LabelTally<Label extends string> implements Tally {
  readonly labels: Readonly<Record<Label, string>>;
  readonly #counted: LabelTally<Label>[];
  #sum = 0;

  constructor(labels: Readonly<Record<Label, string>>, counted: LabelTally<Label>[]) {
    this.labels = labels;
    this.#counted = counted;
  }

  inc(count = 1): void {
    if (count === 0) return;
    if (this.#sum === 0) this.#counted.push(this);
    this.#sum += count;
  }

  take(): number {
    const sum = this.#sum;
    this.#sum = 0;
    return sum;
  }
}
