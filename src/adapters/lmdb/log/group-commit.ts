import { MillraceError } from '../../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../../core/offset.ts';
import { topicChanged } from '../../../core/topic-changed.ts';
import { isRun, listOf, type AppendTarget, type NewRecords } from '../../../ports/event-log.ts';
import { AbortWatch } from './abort-watch.ts';
import { BatchEncoder } from './batch-codec.ts';
import { CommitPace } from './commit-pace.ts';
import { batchKey, endKey } from './keys.ts';
import type { LogSignals } from './signals.ts';
import type { LogStore } from './store.ts';
import { encodeCommit, type PartitionCommit, type Tail } from './partition-commit.ts';
import { putEnd, readEnd, type PartitionEnd } from './partition-meta.ts';
import { PendingAppend } from './pending-append.ts';
import { mostHeaderBytes, RecordSizes } from './record-size.ts';
import { partitionOf, topicNotFound, type TopicRegistry } from './topic-registry.ts';

/** A commit takes appends until it has this size; the others wait for the next one. */
const commitBytes = 8 * 1024 * 1024;

/** What a record may take when its topic says nothing. */
const defaultMaxRecordBytes = 64 * 1024 * 1024;

export interface GroupCommitDeps {
  readonly store: LogStore;
  readonly topics: TopicRegistry;
  readonly signals: LogSignals;
  /** Many send by themselves: a small commit waits a moment for more of them. */
  readonly hasManySenders: boolean;
}

/**
 * Group commit: appends that arrive while a commit runs, or soon after it, make up the next one. A partition's batches are written only
 * if the partition still ends where this thread believes; if another thread was faster, the appends go into the next commit, behind the
 * records of the other.
 */
export class GroupCommit {
  readonly #deps: GroupCommitDeps;
  readonly #tails = new Map<string, Map<number, Tail>>();
  /** Partitions that appends wait for, each once; those that waited longest come first. */
  #dirty: Tail[] = [];
  readonly #watch = new AbortWatch<PendingAppend>();
  readonly #encoder = new BatchEncoder();
  /** Undefined: each commit begins at once. */
  readonly #pace: CommitPace | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(deps: GroupCommitDeps) {
    this.#deps = deps;
    if (deps.hasManySenders) this.#pace = new CommitPace();
  }

  append(target: AppendTarget, records: NewRecords, signal: AbortSignal): Promise<Offset> {
    try {
      return this.#accept(target, records, signal).stored;
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  #accept(target: AppendTarget, records: NewRecords, signal: AbortSignal): PendingAppend {
    signal.throwIfAborted();
    this.#assertOpen();
    const tail = this.#tailOf(target);
    const bytes = checkSizes(records, tail);
    const append = new PendingAppend({ records, identity: target.identity, signal });
    this.#watch.add(append);
    tail.waiting.push(append);
    this.#markDirty(tail);
    this.#pace?.add(bytes);
    this.#running ??= this.#run();
    return append;
  }

  /** Refuses new appends and settles the accepted ones. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#pace?.hurry();
    await this.#running;
  }

  async #run(): Promise<void> {
    // Requests that the present turn of the event loop still delivers join the first commit.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    try {
      while (this.#dirty.length > 0) {
        const { broken } = this.#deps.store;
        if (broken === undefined) await this.#commit();
        else for (const tail of this.#takeDirty()) this.#rejectWaiting(tail, broken);
        await this.#pace?.mayBegin();
      }
    } finally {
      this.#running = undefined;
    }
  }

  async #commit(): Promise<void> {
    const commits = this.#encodeDirty();
    this.#pace?.begin(commits.reduce((appends, commit) => appends + commit.appends.length, 0));
    const preparing = this.#deps.store.prepare(commits.flatMap(valueSizes));
    if (preparing !== undefined) await preparing;
    const writes: Promise<void>[] = [];
    this.#deps.store.together(() => {
      for (const commit of commits) writes.push(this.#write(commit));
    });
    await Promise.all(writes);
    // The driver may still read what was left behind when the log broke.
    if (this.#deps.store.broken === undefined) this.#encoder.release();
  }

  #markDirty(tail: Tail): void {
    if (tail.isDirty) return;
    tail.isDirty = true;
    this.#dirty.push(tail);
  }

  /** Some of what waits for it was not taken, and is to be next. */
  #leave(tail: Tail): void {
    this.#markDirty(tail);
    this.#pace?.hurry();
  }

  #takeDirty(): readonly Tail[] {
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const tail of dirty) tail.isDirty = false;
    return dirty;
  }

  #encodeDirty(): readonly PartitionCommit[] {
    const commits: PartitionCommit[] = [];
    /** Some of what waits for them goes into this commit: the others have waited longer. */
    const goOn: Tail[] = [];
    let budget = commitBytes;
    this.#deps.store.refresh();
    for (const tail of this.#takeDirty()) {
      if (budget <= 0) {
        this.#leave(tail);
        continue;
      }
      try {
        const end = tail.end ?? readEnd(this.#deps.store, tail.at);
        if (end === undefined) {
          this.#moveOrReject(tail);
          continue;
        }
        const commit = encodeCommit(tail, end, { encoder: this.#encoder, budget });
        if (tail.waiting.length > 0) goOn.push(tail);
        budget -= commit.to.bytes - commit.from.bytes;
        commits.push(commit);
      } catch (thrown) {
        this.#rejectWaiting(tail, thrown);
      }
    }
    for (const tail of goOn) this.#leave(tail);
    return commits;
  }

  async #write(commit: PartitionCommit): Promise<void> {
    const { signals } = this.#deps;
    const { tail } = commit;
    try {
      if (commit.batches.length > 0 && !(await this.#put(commit))) {
        this.#takeBack(commit);
        return;
      }
      tail.end = commit.to;
      // Called before the callers are told, so that a consumer in this thread is as early as they are.
      if (commit.batches.length > 0) signals.appended(tail.at, commit.to.end);
      for (const append of commit.appends) {
        this.#watch.delete(append);
        if (!append.settled) append.resolve();
      }
    } catch (thrown) {
      tail.end = undefined;
      this.#rejectAll(commit.appends, thrown);
    }
  }

  #put({ tail, from, to, batches }: PartitionCommit): Promise<boolean> {
    const { store } = this.#deps;
    const writes = (): void => {
      for (const batch of batches) store.put(batchKey(tail.at, batch.base), batch.bytes);
      putEnd(store, tail.at, to);
    };
    return store.writeIf(endKey(tail.at), from.end, writes, 'growth');
  }

  #takeBack({ tail, appends }: PartitionCommit): void {
    tail.end = undefined;
    tail.waiting = [...appends, ...tail.waiting];
    this.#leave(tail);
  }

  /** The partition is gone. A topic of the same name may have been made since. */
  #moveOrReject(tail: Tail): void {
    const { waiting } = tail;
    this.#drop(tail);
    tail.waiting = [];
    try {
      const row = this.#deps.topics.require(tail.topic);
      const { meant, others } = Object.groupBy(waiting, ({ identity = row.identity }) =>
        identity === row.identity ? 'meant' : 'others',
      );
      this.#rejectAll(others ?? [], topicChanged({ topic: row.name, identity: row.identity }, tail.identity));
      if (meant === undefined) return;
      const successor = this.#tail({ topic: tail.topic, partition: tail.at.partition });
      successor.waiting.push(...meant);
      this.#leave(successor);
    } catch (thrown) {
      this.#rejectAll(waiting, thrown);
    }
  }

  #rejectWaiting(tail: Tail, thrown: unknown): void {
    const { waiting } = tail;
    tail.waiting = [];
    tail.end = undefined;
    this.#rejectAll(waiting, thrown);
  }

  #rejectAll(appends: readonly PendingAppend[], reason: unknown): void {
    for (const append of appends) {
      this.#watch.delete(append);
      if (!append.settled) append.reject(reason);
    }
  }

  /** The tail of the existence of the topic that is meant. What this thread knows of the topic may be older, or newer. */
  #tailOf(at: AppendTarget): Tail {
    const { identity } = at;
    const known = this.#tail(at);
    if (identity === undefined || known.identity === identity) return known;
    const row = this.#deps.topics.require(at.topic);
    if (row.identity !== identity) throw topicChanged({ topic: row.name, identity: row.identity }, identity);
    this.#drop(known);
    return this.#tail(at);
  }

  #drop(tail: Tail): void {
    const tails = this.#tails.get(tail.topic);
    if (tails?.get(tail.at.partition) === tail) tails.delete(tail.at.partition);
  }

  #tail({ topic, partition }: TopicPartition): Tail {
    const present = this.#tails.get(topic)?.get(partition);
    if (present !== undefined) return present;
    const known = this.#deps.topics.findKnown(topic);
    // One that is known may have grown.
    const row = known !== undefined && partition < known.partitions ? known : this.#deps.topics.find(topic);
    if (row === undefined) throw topicNotFound(topic);
    const at = partitionOf(row, partition);
    const maxRecordBytes = row.maxRecordBytes ?? defaultMaxRecordBytes;
    const end: PartitionEnd | undefined = undefined;
    const tail: Tail = { topic, identity: row.identity, at, maxRecordBytes, end, waiting: [], isDirty: false };
    const tails = this.#tails.get(topic) ?? new Map<number, Tail>();
    this.#tails.set(topic, tails.set(partition, tail));
    return tail;
  }

  #assertOpen(): void {
    if (this.#closed) throw new MillraceError('log.closed', `the log in "${this.#deps.store.path}" is closed`);
    if (this.#deps.store.broken !== undefined) throw this.#deps.store.broken;
  }
}

/** About the bytes of all, no fewer than they have. */
function checkSizes(records: NewRecords, tail: Tail): number {
  if (isRun(records)) {
    const headerBytes = mostHeaderBytes(records);
    // When the longest fits, so do the others; else they are looked at one by one.
    if (records.longestBytes + headerBytes <= tail.maxRecordBytes)
      return records.valueBytes + records.length * headerBytes;
  }
  const sizes = new RecordSizes();
  let all = 0;
  for (const record of listOf(records)) all += checkedSize(sizes.of(record, tail.maxRecordBytes), tail);
  return all;
}

function checkedSize(bytes: number, { topic, maxRecordBytes }: Tail): number {
  if (bytes <= maxRecordBytes) return bytes;
  const message = `a record of ${bytes} bytes is larger than the ${maxRecordBytes} bytes that topic "${topic}" takes`;
  throw new MillraceError('log.recordTooLarge', message, { details: { topic, bytes, limit: maxRecordBytes } });
}

function valueSizes({ batches }: PartitionCommit): readonly number[] {
  return batches.map(({ bytes }) => bytes.length);
}
