import { Counter, Histogram, type CounterConfiguration } from 'prom-client';

/** Takes events by their age. */
export interface Ages<Label extends string> {
  /** So many events have this age, in seconds. An age below 0, of an event that another clock has stamped, is none. */
  add(labels: Readonly<Record<Label, string>>, of: { readonly seconds: number; readonly events: number }): void;
}

/** What one set of labels has: how many events were at most as old as each bound, and not as the one before. */
interface Counted {
  readonly labels: Readonly<Record<string, string>>;
  readonly inBucket: number[];
  count: number;
  sum: number;
}

export interface AgeHistogramOptions extends CounterConfiguration<string> {
  /** Seconds, ascending. */
  readonly buckets: readonly number[];
}

/**
 * A histogram of events by their age, into which many events go with one call: that of the library takes them one by one. It registers
 * as a counter does, and is served as the histogram that it is.
 */
export class AgeHistogram extends Counter {
  readonly #name: string;
  /** What a histogram of the library says of itself besides its values. */
  readonly #shape: Histogram;
  readonly #bounds: readonly number[];
  readonly #ages = new Map<string, Counted>();

  constructor({ buckets, ...configuration }: AgeHistogramOptions) {
    super(configuration);
    this.#name = configuration.name;
    this.#shape = new Histogram({ name: configuration.name, help: configuration.help, registers: [] });
    this.#bounds = buckets;
  }

  /** As `Ages` says. */
  add(
    labels: Readonly<Record<string, string>>,
    { seconds, events }: { readonly seconds: number; readonly events: number },
  ) {
    if (events === 0) return;
    const age = Math.max(0, seconds);
    const ages = this.#of(labels);
    const at = this.#bounds.findIndex((bound) => age <= bound);
    if (at !== -1) ages.inBucket[at] = (ages.inBucket[at] ?? 0) + events;
    ages.count += events;
    ages.sum += age * events;
  }

  override async get(): ReturnType<Counter['get']> {
    const name = this.#name;
    const values = [...this.#ages.values()].flatMap(({ labels, inBucket, count, sum }) => {
      let below = 0;
      const buckets = this.#bounds.map((le, at) => {
        below += inBucket[at] ?? 0;
        return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
      });
      return [
        ...buckets,
        { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
        { metricName: `${name}_sum`, labels: { ...labels }, value: sum },
        { metricName: `${name}_count`, labels: { ...labels }, value: count },
      ];
    });
    return { ...(await this.#shape.get()), values };
  }

  #of(labels: Readonly<Record<string, string>>): Counted {
    const key = JSON.stringify(Object.entries(labels));
    const before = this.#ages.get(key);
    if (before !== undefined) return before;
    const ages = { labels, inBucket: this.#bounds.map(() => 0), count: 0, sum: 0 };
    this.#ages.set(key, ages);
    return ages;
  }
}
