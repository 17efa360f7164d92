import type { Clock } from '../../../core/clock.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../../core/offset.ts';
import { Rests } from '../../../core/rests.ts';
import type { Assignment, GroupMember, IdentifiedPartition, RecordBatch } from '../../../ports/event-log.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import { abortable } from '../../../core/abortable.ts';
import type { GroupRegistry } from './group-registry.ts';
import type { LogListener, LogSignals } from './signals.ts';
import type { CommittedOffsets } from './committed-offsets.ts';
import type { StoredPartition } from './keys.ts';
import { MemberPartitions } from './member-partitions.ts';
import { readEnd } from './partition-meta.ts';
import { BatchReader } from './batch-reader.ts';
import type { LogStore } from './store.ts';
import { Wake } from './wake.ts';

/** How often a waiting poll looks into the store, in case a thread ended before it could tell what it did. */
const rescanMs = 1000;
/** With so many partitions that a look takes long, it is a hundredth of the time. */
const rescanRest = { longestMs: 10_000, times: 100 } as const;

/** A member that always finds something lets the event loop turn after so long. */
const yieldMs = 10;

export interface MemberDeps {
  readonly store: LogStore;
  readonly clock: Clock;
  readonly signals: LogSignals;
  readonly groups: GroupRegistry;
  readonly committed: CommittedOffsets;
}

export interface MemberName {
  readonly group: string;
  readonly id: string;
  readonly member: string;
}

/** See `GroupMember`. What it holds is computed from the store; nobody hands it out. */
export class LmdbGroupMember implements GroupMember, LogListener {
  readonly #deps: MemberDeps;
  readonly #name: MemberName;
  readonly #partitions = new MemberPartitions();
  readonly #reader: BatchReader;
  readonly #wake: Wake;
  #topics: readonly string[] = [];
  #layoutVersion = -1;
  #layoutChanged = true;
  #transaction = -1;
  #rescannedAt: number;
  readonly #rescanning = new Rests(rescanRest.longestMs, rescanRest.times);
  #yieldedAt: number;
  #closed = false;

  constructor(deps: MemberDeps, name: MemberName) {
    this.#deps = deps;
    this.#name = name;
    this.#reader = new BatchReader(deps.store);
    this.#wake = new Wake(deps.clock);
    this.#rescannedAt = deps.clock.monotonic();
    this.#yieldedAt = this.#rescannedAt;
    deps.signals.listen(this);
  }

  /** It has left its group. */
  get closed(): boolean {
    return this.#closed;
  }

  get assignment(): Assignment {
    return this.#partitions.assignment;
  }

  async subscribe(topics: readonly string[], { signal }: Waiting): Promise<void> {
    signal.throwIfAborted();
    this.#assertOpen();
    this.#topics = [...new Set(topics)];
    await this.#deps.groups.setTopics(this.#name, this.#topics);
    this.#deps.signals.layoutChanged();
  }

  seek(at: IdentifiedPartition, offset: Offset): void {
    this.#partitions.seek(at, offset);
  }

  pause(at: IdentifiedPartition): void {
    this.#partitions.pause(at);
  }

  resume(at: IdentifiedPartition): void {
    this.#partitions.resume(at);
  }

  async poll(
    limits: { readonly maxBytes: number; readonly maxWaitMs: number },
    { signal }: Waiting,
  ): Promise<readonly RecordBatch[]> {
    const { clock } = this.#deps;
    const deadline = clock.monotonic() + limits.maxWaitMs;
    await this.#letOthersRun();
    for (;;) {
      signal.throwIfAborted();
      this.#assertOpen();
      this.#rescan();
      if (this.#layoutChanged && this.#takeAssignment()) return [];
      this.#deps.store.refresh();
      const batches = this.#partitions.read(this.#reader, limits.maxBytes);
      const left = deadline - clock.monotonic();
      if (batches.length > 0 || this.#wake.take() || left <= 0) return batches;
      this.#yieldedAt = clock.monotonic();
      await this.#wake.wait(Math.min(left, rescanMs), signal);
    }
  }

  wake(): void {
    this.#wake.wake();
  }

  async commit(at: IdentifiedPartition, offset: Offset, { signal }: Waiting): Promise<void> {
    signal.throwIfAborted();
    this.#assertOpen();
    await abortable(this.#deps.committed.put(this.#name.group, at, offset), signal);
  }

  async committed(at: TopicPartition, { signal }: Waiting): Promise<Offset | undefined> {
    signal.throwIfAborted();
    this.#assertOpen();
    return this.#deps.committed.get(this.#name.group, at);
  }

  appended(at: StoredPartition, end: Offset): void {
    if (this.#partitions.appended(at, end)) this.#wake.nudge();
  }

  layoutChanged(): void {
    this.#layoutChanged = true;
    this.#wake.nudge();
  }

  /** Leaves the group; a poll that still waits rejects with `log.closed`. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#deps.signals.unlisten(this);
    this.#wake.nudge();
    if (this.#deps.store.broken !== undefined) return;
    await this.#deps.groups.remove(this.#name.group, this.#name.id);
    this.#deps.signals.layoutChanged();
  }

  /** True: the assignment is another one than before. */
  #takeAssignment(): boolean {
    this.#layoutChanged = false;
    const view = this.#deps.groups.view(this.#name.group, this.#name.id, this.#topics);
    this.#layoutVersion = view.layoutVersion;
    return this.#partitions.replace(view.held);
  }

  #rescan(): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#rescannedAt < rescanMs || !this.#rescanning.isDue(now)) return;
    this.#rescannedAt = now;
    const { store } = this.#deps;
    const transaction = store.lastTransaction();
    if (transaction === this.#transaction) return;
    this.#transaction = transaction;
    this.#layoutChanged ||= this.#deps.groups.layoutVersion() !== this.#layoutVersion;
    this.#partitions.offerAll((at) => readEnd(store, at)?.end ?? 0);
    this.#rescanning.done({ began: now, ended: this.#deps.clock.monotonic() });
  }

  async #letOthersRun(): Promise<void> {
    const { clock } = this.#deps;
    if (clock.monotonic() - this.#yieldedAt < yieldMs) return;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    this.#yieldedAt = clock.monotonic();
  }

  #assertOpen(): void {
    if (this.#closed) throw new MillraceError('log.closed', `member "${this.#name.member}" has left its group`);
    if (this.#deps.store.broken !== undefined) throw this.#deps.store.broken;
  }
}
