import { randomUUID } from 'node:crypto';
import type { TopicPartition } from '../../../core/offset.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { topicChanged } from '../../../core/topic-changed.ts';
import type { IdentifiedPartition, TopicDescription, TopicSpec } from '../../../ports/event-log.ts';
import { endKey, purgeKey, startKey, topicKey, topicNameOf, topicsFrom, type StoredPartition } from './keys.ts';
import type { LogLayout } from './layout.ts';
import type { LogStore } from './store.ts';
import { putEnd, putStart } from './partition-meta.ts';

/** A topic as it is stored. `number` names its batches; a topic made again under the name has another one. */
export interface TopicRow {
  readonly name: string;
  readonly number: number;
  readonly identity: string;
  readonly partitions: number;
  readonly maxRecordBytes?: number;
}

export interface TopicRegistryDeps {
  readonly store: LogStore;
  readonly layout: LogLayout;
}

/** Topics by name. A row changes seldom, so rows are kept in memory until some topic is deleted or grows. */
export class TopicRegistry {
  readonly #deps: TopicRegistryDeps;
  readonly #known = new Map<string, TopicRow>();
  #deletions = -1;

  constructor(deps: TopicRegistryDeps) {
    this.#deps = deps;
  }

  /** In the newest snapshot. */
  find(name: string): TopicRow | undefined {
    this.#deps.store.refresh();
    this.forgetDeleted(this.#deps.layout.read().deletions);
    return this.findKnown(name);
  }

  /** From memory if it was seen before; it may have been deleted since. */
  findKnown(name: string): TopicRow | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const row = this.#deps.store.getJson(topicKey(name)) as TopicRow | undefined;
    if (row !== undefined) this.#known.set(name, row);
    return row;
  }

  /** Forgets what is kept in memory when the count of deletions and growths has changed. */
  forgetDeleted(deletions: number): void {
    if (deletions === this.#deletions) return;
    this.#deletions = deletions;
    this.#known.clear();
  }

  /** In the newest snapshot; `log.topicNotFound`. */
  require(name: string): TopicRow {
    const row = this.find(name);
    if (row === undefined) throw topicNotFound(name);
    return row;
  }

  /** The partition's place in the store, in the newest snapshot; `log.topicNotFound`. */
  requirePartition(at: TopicPartition): StoredPartition {
    return partitionOf(this.require(at.topic), at.partition);
  }

  /** The same of one existence of the topic; `progress.topicChanged` when it was made anew since. */
  requireIdentified(at: IdentifiedPartition): StoredPartition {
    const row = this.require(at.topic);
    if (row.identity !== at.identity) throw topicChanged({ topic: row.name, identity: row.identity }, at.identity);
    return partitionOf(row, at.partition);
  }

  list(prefix: string): readonly string[] {
    this.#deps.store.refresh();
    const names: string[] = [];
    for (const key of this.#deps.store.keys(topicsFrom(prefix))) {
      const name = topicNameOf(key);
      if (!name.startsWith(prefix)) break;
      names.push(name);
    }
    return names;
  }

  async create(spec: TopicSpec): Promise<{ readonly created: boolean; readonly topic: TopicDescription }> {
    if (!Number.isSafeInteger(spec.partitions) || spec.partitions < 1) {
      throw new MillraceError(
        'input.invalid',
        `topic "${spec.name}": partitions must be at least 1, given ${spec.partitions}`,
      );
    }
    let row: TopicRow | undefined;
    const created = await this.#deps.layout.change(({ nextTopic }) => {
      row = this.#deps.store.getJson(topicKey(spec.name)) as TopicRow | undefined;
      if (row !== undefined) return undefined;
      const made = { ...spec, number: nextTopic, identity: randomUUID() };
      row = made;
      return { change: { nextTopic: nextTopic + 1 }, writes: () => this.#putTopic(made) };
    });
    if (row === undefined) throw topicNotFound(spec.name);
    if (row.partitions !== spec.partitions) {
      const message = `topic "${spec.name}" exists with ${row.partitions} partitions, asked for ${spec.partitions}`;
      throw new MillraceError('log.topicExists', message, { details: { topic: spec.name } });
    }
    return { created, topic: describe(row) };
  }

  /** Adds partitions up to this number; does nothing when there are as many. `log.topicNotFound`. */
  async grow(name: string, partitions: number): Promise<{ readonly grown: boolean; readonly topic: TopicDescription }> {
    let row: TopicRow | undefined;
    const grown = await this.#deps.layout.change(({ deletions }) => {
      const before = this.#deps.store.getJson(topicKey(name)) as TopicRow | undefined;
      row = before;
      if (before === undefined || before.partitions >= partitions) return undefined;
      const larger = { ...before, partitions };
      row = larger;
      return { change: { deletions: deletions + 1 }, writes: () => this.#putTopic(larger, before.partitions) };
    });
    if (row === undefined) throw topicNotFound(name);
    return { grown, topic: describe(row) };
  }

  /** Removes the topic and leaves a mark that its batches must go. Undefined: there was none. */
  async delete(name: string): Promise<TopicRow | undefined> {
    let row: TopicRow | undefined;
    await this.#deps.layout.change(({ deletions }) => {
      row = this.#deps.store.getJson(topicKey(name)) as TopicRow | undefined;
      if (row === undefined) return undefined;
      const removed = row;
      return { change: { deletions: deletions + 1 }, writes: () => this.#removeTopic(removed) };
    });
    return row;
  }

  /** With its partitions from `first` on, which are empty. */
  #putTopic(row: TopicRow, first = 0): void {
    const { store } = this.#deps;
    store.putJson(topicKey(row.name), row);
    for (let partition = first; partition < row.partitions; partition++) {
      putEnd(store, { number: row.number, partition }, { end: 0, bytes: 0, lastBase: 0, acknowledged: 0 });
      putStart(store, { number: row.number, partition }, { first: 0, bytes: 0 });
    }
  }

  /** The partitions' ends go in the same transaction: an append that runs at the same time then writes nothing. */
  #removeTopic(row: TopicRow): void {
    const { store } = this.#deps;
    store.remove(topicKey(row.name));
    for (let partition = 0; partition < row.partitions; partition++) {
      store.remove(endKey({ number: row.number, partition }));
      store.remove(startKey({ number: row.number, partition }));
    }
    store.putJson(purgeKey(row.number), { topic: row.name });
  }
}

export function describe({ name, identity, partitions }: TopicRow): TopicDescription {
  return { name, identity, partitions };
}

export function topicNotFound(name: string): MillraceError {
  return new MillraceError('log.topicNotFound', `there is no topic "${name}"`, { details: { topic: name } });
}

/** `log.topicNotFound` for a partition that the topic does not have. */
export function partitionOf(row: TopicRow, partition: number): StoredPartition {
  if (Number.isSafeInteger(partition) && partition >= 0 && partition < row.partitions) {
    return { number: row.number, partition };
  }
  throw new MillraceError(
    'log.topicNotFound',
    `topic "${row.name}" has no partition ${partition}, it has ${row.partitions}`,
    { details: { topic: row.name, partition } },
  );
}
