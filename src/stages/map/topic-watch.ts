import type { Clock } from '../../core/clock.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

const everyMs = 30_000;

export interface WatchedTopics {
  /** The topics of sinks that are believed to be there. */
  readonly sinkTopics: readonly string[];
  /** These are not. */
  missing(topics: ReadonlySet<string>): void;
}

/**
 * Looks now and then whether the topics of sinks are still in the log, so that one that somebody has deleted is noticed
 * though no event comes. One request serves all. A topic is missing when two looks in a row have not found it: the
 * topic of a sink that is being removed goes before every process knows of the removal.
 */
export class TopicWatch {
  readonly #log: EventLog;
  readonly #clock: Clock;
  /** Those that the look before has not found. */
  #unseen: ReadonlySet<string> = new Set();
  #lookedAt: number;
  #looking: Promise<void> | undefined;

  constructor(log: EventLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.#lookedAt = clock.monotonic();
  }

  /** Begins to look when it is time; to be called as often as one likes. */
  look(watched: Iterable<WatchedTopics>, options: Waiting): void {
    const now = this.#clock.monotonic();
    if (this.#looking !== undefined || now - this.#lookedAt < everyMs) return;
    this.#lookedAt = now;
    this.#looking = this.#compare([...watched], options).finally(() => {
      this.#looking = undefined;
    });
  }

  /** Resolves when nothing is being looked at. */
  async ended(): Promise<void> {
    await this.#looking;
  }

  async #compare(watched: readonly WatchedTopics[], options: Waiting): Promise<void> {
    const topics = watched.flatMap(({ sinkTopics }) => sinkTopics);
    // A log that is away says nothing about its topics; the next look may.
    const found = await this.#log.listTopics('sink.', options).catch(() => undefined);
    if (found === undefined) return;
    const present = new Set(found);
    const unseen = new Set(topics.filter((topic) => !present.has(topic)));
    const missing = new Set([...unseen].filter((topic) => this.#unseen.has(topic)));
    this.#unseen = unseen;
    if (missing.size > 0) for (const one of watched) one.missing(missing);
  }
}
