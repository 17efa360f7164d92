import type { Offset, TopicPartition } from '../../../core/offset.ts';
import type { IdentifiedPartition } from '../../../ports/event-log.ts';
import { committedKey } from './keys.ts';
import type { LogStore } from './store.ts';
import type { TopicRegistry } from './topic-registry.ts';

export interface CommittedOffsetsDeps {
  readonly store: LogStore;
  readonly topics: TopicRegistry;
}

/** What groups noted about how far they have come. Goes with the topic. */
export class CommittedOffsets {
  readonly #deps: CommittedOffsetsDeps;

  constructor(deps: CommittedOffsetsDeps) {
    this.#deps = deps;
  }

  /** `log.topicNotFound`, `progress.topicChanged` */
  async put(group: string, at: IdentifiedPartition, offset: Offset): Promise<void> {
    const { store, topics } = this.#deps;
    const key = committedKey(topics.requireIdentified(at), group);
    const value = Buffer.allocUnsafe(8);
    value.writeDoubleLE(offset);
    await store.write(() => store.put(key, value));
  }

  /** `log.topicNotFound` */
  get(group: string, at: TopicPartition): Offset | undefined {
    const { store, topics } = this.#deps;
    return store.get(committedKey(topics.requirePartition(at), group))?.readDoubleLE();
  }
}
