import type { Clock } from '../../core/clock.ts';
import type { InstallationId } from '../../core/installation-id.ts';
import { logBehind } from '../../core/log-behind.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import type {
  AppendTarget,
  EventLog,
  GroupMember,
  GroupSpec,
  IdentifiedPartition,
  LogRecord,
  NewRecords,
  PartitionCondition,
  PartitionRange,
  RecordBatch,
  TopicDescription,
  TopicSpec,
} from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { abortable } from '../../core/abortable.ts';
import { GroupCommit } from './log/group-commit.ts';
import { CommittedOffsets } from './log/committed-offsets.ts';
import { LmdbGroupMember } from './log/group-member.ts';
import { GroupRegistry } from './log/group-registry.ts';
import { readMark, writeMark } from './log/installation-mark.ts';
import { allPurges, purgeNumber, type StoredPartition } from './log/keys.ts';
import { LogLayout } from './log/layout.ts';
import { LogSignals } from './log/signals.ts';
import { LogStore } from './log/store.ts';
import { offsetForTime } from './log/offset-for-time.ts';
import { readEnd, readStart } from './log/partition-meta.ts';
import { BatchReader, type ReadLimits } from './log/batch-reader.ts';
import { purgeTopic, trimPartition } from './log/removal.ts';
import { describe, TopicRegistry } from './log/topic-registry.ts';

const readOnceLimits: ReadLimits = { enough: 2 ** 20, most: 2 ** 20 };

export interface LmdbEventLogOptions {
  /** The folder. Every thread opens it for itself; processes share it only one after the other. */
  readonly path: string;
  /** Name of the thread, the same after a restart: group members of its former life are removed. */
  readonly instance: string;
  /** This is the first log of the process on this folder: all group members in it are of a former process. */
  readonly first?: boolean;
  readonly clock: Clock;
  /** Many append by themselves, and each would rather wait a millisecond than have a commit for itself. */
  readonly hasManySenders?: boolean;
  /** Told once, with `data.broken`, when the log refuses everything until the process has ended. */
  readonly onBroken?: (error: MillraceError) => void;
}

/** Opens the log in the folder, or makes it. `data.unusable`, `data.newerFormat`, `log.full`. */
export async function openLmdbEventLog(options: LmdbEventLogOptions): Promise<LmdbEventLog> {
  const store = new LogStore(options.path);
  try {
    return await LmdbEventLog.start(store, options);
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

/** See `EventLog`. The parts share one environment; all that is shared between threads is in it. */
export class LmdbEventLog implements EventLog {
  readonly #store: LogStore;
  readonly #signals: LogSignals;
  readonly #topics: TopicRegistry;
  readonly #groups: GroupRegistry;
  readonly #committed: CommittedOffsets;
  readonly #appends: GroupCommit;
  readonly #clock: Clock;
  readonly #members = new Set<LmdbGroupMember>();
  readonly #closing = new AbortController();
  #cleaning: Promise<void> = Promise.resolve();

  private constructor(store: LogStore, options: LmdbEventLogOptions) {
    const layout = new LogLayout(store);
    this.#store = store;
    this.#clock = options.clock;
    const onBroken = (reason: string): void => store.markBroken(reason);
    this.#signals = new LogSignals({ path: options.path, clock: options.clock, onBroken });
    store.whenBroken((error, reason) => {
      this.#signals.broken(reason);
      options.onBroken?.(error);
    });
    this.#topics = new TopicRegistry({ store, layout });
    this.#groups = new GroupRegistry({ store, layout, topics: this.#topics, instance: options.instance });
    this.#committed = new CommittedOffsets({ store, topics: this.#topics });
    const { hasManySenders = false } = options;
    this.#appends = new GroupCommit({ store, topics: this.#topics, signals: this.#signals, hasManySenders });
  }

  /** For `openLmdbEventLog`. */
  static async start(store: LogStore, options: LmdbEventLogOptions): Promise<LmdbEventLog> {
    const log = new LmdbEventLog(store, options);
    const first = options.first ?? false;
    try {
      if (await log.#groups.removeStale(first ? 'all' : 'instance')) log.#signals.layoutChanged();
    } catch (thrown) {
      log.#signals.close();
      throw thrown;
    }
    if (first) log.#cleaning = log.#purgeDeleted();
    return log;
  }

  async createTopic(spec: TopicSpec, { signal }: Waiting): Promise<TopicDescription> {
    this.#assertUsable(signal);
    const { created, topic } = await abortable(this.#topics.create(spec), signal);
    if (created) this.#signals.layoutChanged();
    return topic;
  }

  async growTopic(name: string, partitions: number, { signal }: Waiting): Promise<TopicDescription> {
    this.#assertUsable(signal);
    const { grown, topic } = await abortable(this.#topics.grow(name, partitions), signal);
    if (grown) this.#signals.layoutChanged();
    return topic;
  }

  async deleteTopic(name: string, { signal }: Waiting): Promise<void> {
    this.#assertUsable(signal);
    const removed = await abortable(this.#topics.delete(name), signal);
    if (removed !== undefined) this.#signals.layoutChanged();
    // A repeated call goes on with what the one before could not remove.
    const left = removed === undefined ? this.#halfDeleted() : [removed.number];
    for (const number of left) await abortable(purgeTopic(this.#store, number, { signal }), signal);
  }

  async describeTopic(name: string, { signal }: Waiting): Promise<TopicDescription | undefined> {
    this.#assertUsable(signal);
    const row = this.#topics.find(name);
    return row === undefined ? undefined : describe(row);
  }

  async listTopics(prefix: string, { signal }: Waiting): Promise<readonly string[]> {
    this.#assertUsable(signal);
    return this.#topics.list(prefix);
  }

  async ranges(topic: string, { signal }: Waiting): Promise<readonly PartitionRange[]> {
    this.#assertUsable(signal);
    const { number, partitions } = this.#topics.require(topic);
    return Array.from({ length: partitions }, (_, partition) => this.#range({ number, partition }));
  }

  async range(target: TopicPartition, { signal }: Waiting): Promise<PartitionRange> {
    this.#assertUsable(signal);
    return this.#range(this.#topics.requirePartition(target));
  }

  #range(at: StoredPartition): PartitionRange {
    const start = readStart(this.#store, at) ?? { first: 0, bytes: 0 };
    const end = readEnd(this.#store, at) ?? { end: 0, bytes: 0, acknowledged: 0 };
    // Nothing is open in this log: what it holds is readable.
    const { acknowledged } = end;
    return {
      first: start.first,
      stableEnd: end.end,
      durableEnd: end.end,
      acknowledged,
      bytes: end.bytes - start.bytes,
    };
  }

  async offsetForTime(target: TopicPartition, timestamp: number, { signal }: Waiting): Promise<Offset> {
    this.#assertUsable(signal);
    return offsetForTime(this.#store, this.#topics.requirePartition(target), timestamp);
  }

  /** The product retains what is here; the log removes nothing by itself. */
  async removal(_topic: string, { signal }: Waiting): Promise<undefined> {
    this.#assertUsable(signal);
  }

  /** This log counts no epochs. While it is behind, nothing new gets the offset of a lost record. */
  async epochEnd(_at: IdentifiedPartition, _epoch: number, { signal }: Waiting): Promise<undefined> {
    this.#assertUsable(signal);
  }

  async lastRecord(target: TopicPartition, { signal }: Waiting): Promise<LogRecord | undefined> {
    this.#assertUsable(signal);
    const at = this.#topics.requirePartition(target);
    const end = readEnd(this.#store, at);
    if (end === undefined || end.end === readStart(this.#store, at)?.first) return undefined;
    const { records } = new BatchReader(this.#store).read(at, end.end - 1, { enough: 0, most: 0 });
    return records[0];
  }

  async read(target: IdentifiedPartition, from: Offset, { signal }: Waiting): Promise<RecordBatch> {
    this.#assertUsable(signal);
    const at = this.#topics.requireIdentified(target);
    const { records, first, next } = new BatchReader(this.#store).read(at, from, readOnceLimits);
    const batch = { ...target, records, first, next, missing: 'lost' } as const;
    const end = readEnd(this.#store, at)?.end ?? 0;
    return from <= end ? batch : { ...batch, failure: logBehind(target, { offset: from, end }) };
  }

  append(at: AppendTarget, records: NewRecords, { signal }: Waiting): Promise<Offset> {
    return this.#appends.append(at, records, signal);
  }

  /** All partitions are in one file: none is better off than another. */
  condition(): PartitionCondition {
    return 'well';
  }

  async trim(target: IdentifiedPartition, before: Offset, { signal }: Waiting): Promise<void> {
    this.#assertUsable(signal);
    const at = this.#topics.requireIdentified(target);
    await abortable(trimPartition(this.#store, { at, before }, { signal }), signal);
  }

  /** Its folder may be moved. */
  async location(): Promise<undefined> {
    return undefined;
  }

  async claimant({ signal }: Waiting): Promise<InstallationId | undefined> {
    this.#assertUsable(signal);
    return readMark(this.#store);
  }

  async claim(installation: InstallationId, { signal }: Waiting): Promise<InstallationId> {
    this.#assertUsable(signal);
    return abortable(writeMark(this.#store, installation), signal);
  }

  async join(spec: GroupSpec, { signal }: Waiting): Promise<GroupMember> {
    this.#assertUsable(signal);
    const id = await this.#groups.add(spec.group, spec.member);
    const deps = {
      store: this.#store,
      clock: this.#clock,
      signals: this.#signals,
      groups: this.#groups,
      committed: this.#committed,
    };
    const member = new LmdbGroupMember(deps, { ...spec, id });
    for (const former of this.#members) if (former.closed) this.#members.delete(former);
    this.#members.add(member);
    this.#signals.layoutChanged();
    return member;
  }

  /** Settles what was accepted, leaves all groups, closes. Idempotent. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    try {
      await this.#appends.close();
      await this.#cleaning;
      const left = await Promise.allSettled([...this.#members].map((member) => member[Symbol.asyncDispose]()));
      for (const result of left) if (result.status === 'rejected') throw result.reason;
    } finally {
      this.#signals.close();
      await this.#store.close();
    }
  }

  /**
   * Finishes the deletions that an earlier process left half done; when that fails, the next start or deletion tries
   * again.
   */
  async #purgeDeleted(): Promise<void> {
    try {
      for (const number of this.#halfDeleted()) {
        await purgeTopic(this.#store, number, { signal: this.#closing.signal });
      }
    } catch (thrown) {
      if (!(thrown instanceof MillraceError) && !this.#closing.signal.aborted) throw thrown;
    }
  }

  /** Numbers of deleted topics whose batches are not all gone. */
  #halfDeleted(): readonly number[] {
    return this.#store.keys(allPurges).map(purgeNumber);
  }

  #assertUsable(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#closing.signal.aborted)
      throw new MillraceError('log.closed', `the log in "${this.#store.path}" is closed`);
    if (this.#store.broken !== undefined) throw this.#store.broken;
  }
}
