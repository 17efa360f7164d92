import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Replica, ReplicaChange } from '../replica/replica.ts';

/** Which sinks read which source topic, kept up by the changes of the progress replica instead of by looking at all of it. */
export class SinksByTopic {
  readonly #progress: Replica<SinkProgress>;
  readonly #topicOf = new Map<string, string>();
  readonly #sinks = new Map<string, Map<string, SinkProgress>>();
  #version = 0;

  constructor(progress: Replica<SinkProgress>) {
    this.#progress = progress;
  }

  /**
   * Takes over what the replica knows, and from then on each change of it: none is missed in between. `told` gets the topics whose
   * sinks a change touches, at first all; the answer ends it.
   */
  follow(told: (topics: ReadonlySet<string>) => void): () => void {
    const end = this.#progress.listen((change) => told(this.#apply(change)));
    told(this.#apply({ written: [...this.#progress.values()].map(({ id }) => id), removed: [] }));
    return end;
  }

  /** Another one when there are other topics. */
  get version(): number {
    return this.#version;
  }

  /** Sorted. */
  topics(): readonly string[] {
    return [...this.#sinks.keys()].toSorted();
  }

  sinksOf(topic: string): readonly SinkProgress[] {
    return [...(this.#sinks.get(topic)?.values() ?? [])];
  }

  /** Answers the topics whose sinks a change touches. */
  #apply({ written, removed }: Omit<ReplicaChange, 'isWhole'>): ReadonlySet<string> {
    const touched = new Set<string>();
    for (const id of removed) {
      const topic = this.#topicOf.get(id);
      if (topic === undefined) continue;
      touched.add(topic);
      this.#remove(id, topic);
    }
    for (const id of written) {
      const progress = this.#progress.get(id)?.value;
      if (progress === undefined) continue;
      const topic = progress.topics.source;
      touched.add(topic);
      this.#topicOf.set(id, topic);
      const sinks = this.#sinks.get(topic) ?? new Map<string, SinkProgress>();
      if (sinks.size === 0) this.#version += 1;
      this.#sinks.set(topic, sinks.set(id, progress));
    }
    return touched;
  }

  #remove(id: string, topic: string): void {
    this.#topicOf.delete(id);
    const sinks = this.#sinks.get(topic);
    sinks?.delete(id);
    if (sinks?.size !== 0) return;
    this.#sinks.delete(topic);
    this.#version += 1;
  }
}
