import type { Offset } from '../../../core/offset.ts';
import { isRun, type NewRecord, type NewRecords, type RecordRun } from '../../../ports/event-log.ts';
import { valueLength, type BatchEncoder, type EncodedBatch } from './batch-codec.ts';
import type { StoredPartition } from './keys.ts';
import type { PartitionEnd } from './partition-meta.ts';
import type { PendingAppend } from './pending-append.ts';

/** A batch takes records until it has this size: large enough to read fast, small enough that freed pages fit the next. */
const batchBytes = 256 * 1024;

/** A partition as its writer in this thread sees it. */
export interface Tail {
  readonly topic: string;
  /** The existence of the topic that `at` belongs to. */
  readonly identity: string;
  readonly at: StoredPartition;
  readonly maxRecordBytes: number;
  /** Undefined: read it before the next commit. */
  end: PartitionEnd | undefined;
  waiting: PendingAppend[];
  /** It is in the list of those that the next commit looks at. */
  isDirty: boolean;
}

/** What one commit writes to one partition. The bytes of its batches belong to the encoder. */
export interface PartitionCommit {
  readonly tail: Tail;
  readonly from: PartitionEnd;
  readonly to: PartitionEnd;
  readonly appends: readonly PendingAppend[];
  readonly batches: readonly (EncodedBatch & { readonly base: Offset })[];
}

/**
 * Takes waiting appends until they have about `budget` bytes and encodes them as batches that follow `from`. An append
 * is taken whole, so all its records are in the one transaction.
 */
export function encodeCommit(
  tail: Tail,
  from: PartitionEnd,
  options: { readonly encoder: BatchEncoder; readonly budget: number },
): PartitionCommit {
  const appends: PendingAppend[] = [];
  const writer = new CommitWriter(options.encoder, from);
  let [taken, acknowledged] = [0, from.acknowledged];
  while (taken < tail.waiting.length && writer.bytes < options.budget) {
    const append = tail.waiting[taken];
    taken += 1;
    if (append === undefined || append.settled) continue;
    append.offset = writer.offset;
    appends.push(append);
    writer.addAll(append.records);
    // Of what the caller handed over, not of what was written: a record that is lost on the way shows.
    acknowledged += append.records.length;
  }
  tail.waiting = taken === tail.waiting.length ? [] : tail.waiting.slice(taken);
  writer.closeBatch();
  return { tail, from, to: { ...writer.end, acknowledged }, appends, batches: writer.batches };
}

class CommitWriter {
  readonly batches: (EncodedBatch & { readonly base: Offset })[] = [];
  readonly #encoder: BatchEncoder;
  readonly #from: PartitionEnd;
  #base: Offset;
  #lastBase: Offset;
  #bytes: number;
  #open = false;

  constructor(encoder: BatchEncoder, from: PartitionEnd) {
    this.#encoder = encoder;
    this.#from = from;
    this.#base = from.end;
    this.#lastBase = from.lastBase;
    this.#bytes = from.bytes;
  }

  /** Of the record that is added next. */
  get offset(): Offset {
    return this.#base + (this.#open ? this.#encoder.count : 0);
  }

  get bytes(): number {
    return this.#bytes - this.#from.bytes + (this.#open ? this.#encoder.size : 0);
  }

  get end(): Omit<PartitionEnd, 'acknowledged'> {
    return { end: this.#base, bytes: this.#bytes, lastBase: this.#lastBase };
  }

  addAll(records: NewRecords): void {
    if (isRun(records)) this.#addRun(records);
    else for (const record of records) this.#add(record);
  }

  #add(record: NewRecord): void {
    this.#makeRoom(record.value.length);
    this.#encoder.add(record);
  }

  #addRun(run: RecordRun): void {
    for (let added = 0; added < run.length;) {
      this.#makeRoom(valueLength(run, added));
      added = this.#encoder.addRun(run, added, batchBytes);
    }
  }

  /** A batch is open that takes a value of so many bytes. */
  #makeRoom(valueBytes: number): void {
    if (this.#open && this.#encoder.size + valueBytes > batchBytes) this.closeBatch();
    if (this.#open) return;
    this.#encoder.begin(this.#bytes);
    this.#open = true;
  }

  closeBatch(): void {
    if (!this.#open) return;
    this.#open = false;
    const batch = this.#encoder.finish();
    this.batches.push({ ...batch, base: this.#base });
    this.#lastBase = this.#base;
    this.#base += batch.count;
    this.#bytes += batch.bytes.length;
  }
}
