import type { EventLog, NewRecord, TopicDescription } from '../../ports/event-log.ts';
import type { SchemaEncoder } from '../../ports/schema-registry.ts';
import type { AppendToTopic, SourceTopic } from '../product.ts';
import { systemClock } from '../system-clock.ts';

interface WritableTopicOptions {
  readonly log: Pick<EventLog, 'append' | 'condition'>;
  readonly topic: TopicDescription;
  readonly encoder: SchemaEncoder | undefined;
  /** Disposed with the topic. */
  readonly close: AsyncDisposable;
}

/** Writes to the partitions of a topic in turns; one that is not well is passed over as long as another is. */
export class WritableTopic implements SourceTopic {
  readonly #options: WritableTopicOptions;
  #turn = 0;

  constructor(options: WritableTopicOptions) {
    this.#options = options;
  }

  valueOf(event: Uint8Array): ReturnType<SourceTopic['valueOf']> {
    const { encoder } = this.#options;
    return encoder === undefined ? Promise.resolve({ kind: 'value', value: event }) : encoder.encode(event);
  }

  async append(values: readonly Uint8Array[], { headers, signal }: AppendToTopic): Promise<void> {
    const { log, topic } = this.#options;
    const timestamp = systemClock.now();
    const records = values.map((value): NewRecord => ({ value, headers, timestamp }));
    await log.append({ ...this.#place(), identity: topic.identity }, records, { signal });
  }

  #place(): { readonly topic: string; readonly partition: number } {
    const { log, topic } = this.#options;
    const turns = Array.from({ length: topic.partitions }, (_, step) => ({
      topic: topic.name,
      partition: (this.#turn + step) % topic.partitions,
    }));
    this.#turn += 1;
    return turns.find((place) => log.condition(place) === 'well') ?? { topic: topic.name, partition: 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#options.close[Symbol.asyncDispose]();
  }
}
