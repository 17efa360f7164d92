import { fromKafka, isPassing } from './errors.ts';
import type { KafkaTopic } from './newest-leaders.ts';
import type { TopicDirectory } from './topic-directory.ts';

export interface TopicWatchOptions {
  readonly directory: TopicDirectory;
  /** How often it looks for wanted topics that are not there. */
  readonly checkMs: number;
  readonly onTopics: (topics: readonly KafkaTopic[]) => void;
  readonly onFailure: (error: Error) => void;
}

/** Topics that are there are looked at every so many checks: for one that was deleted, made anew or got more partitions. */
const fullEvery = 5;

/** Tells which of the wanted topics exist, with their partitions and identities, whenever that has changed. */
export class TopicWatch {
  readonly #options: TopicWatchOptions;
  readonly #closing = new AbortController();
  readonly #found = new Map<string, KafkaTopic>();
  #wanted: ReadonlySet<string> = new Set();
  #isFullDue = true;
  #loop: Promise<void> | undefined;
  #kick: () => void = () => undefined;

  constructor(options: TopicWatchOptions) {
    this.#options = options;
  }

  /** Replaces the wanted topics; those that are new are looked for at once. */
  want(topics: readonly string[]): void {
    this.#wanted = new Set(topics);
    this.#kick();
    this.#loop ??= this.#run();
  }

  /** Something about a topic is not as it was told: looks at all of them now. */
  doubt(): void {
    this.#isFullDue = true;
    this.#kick();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#kick();
    await this.#loop;
  }

  async #run(): Promise<void> {
    for (let round = 0; !this.#closing.signal.aborted; round += 1) {
      const { promise: kicked, resolve } = Promise.withResolvers<void>();
      this.#kick = resolve;
      try {
        await this.#look(this.#isFullDue || round % fullEvery === 0);
      } catch (thrown) {
        // Whatever passes shows in the reads as well; they know how long it lasts.
        if (!isPassing(thrown)) this.#options.onFailure(fromKafka(thrown, 'cannot look for the subscribed topics'));
      }
      const timer = setTimeout(resolve, this.#options.checkMs);
      await kicked;
      clearTimeout(timer);
    }
  }

  async #look(isFull: boolean): Promise<void> {
    const wanted = this.#wanted;
    const asked = isFull ? [...wanted] : [...wanted].filter((name) => !this.#found.has(name));
    this.#isFullDue &&= !isFull;
    const existing = asked.length === 0 ? [] : await this.#options.directory.existing(asked);
    const before = new Map(this.#found);
    if (isFull) this.#found.clear();
    for (const topic of existing) this.#found.set(topic.name, topic);
    for (const name of this.#found.keys()) if (!wanted.has(name)) this.#found.delete(name);
    const isSame = before.size === this.#found.size && [...before.values()].every((topic) => this.#isAsBefore(topic));
    if (!isSame) this.#options.onTopics([...this.#found.values()]);
  }

  #isAsBefore({ name, identity, leaders }: KafkaTopic): boolean {
    const now = this.#found.get(name);
    return now?.identity === identity && now.leaders.length === leaders.length;
  }
}
