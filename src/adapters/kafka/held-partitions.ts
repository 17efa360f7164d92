import { identifiedKey, type Assignment, type IdentifiedPartition, type RecordBatch } from '../../ports/event-log.ts';
import type { Position } from './fetch-request.ts';
import { HeldPartition } from './held-partition.ts';
import type { PartitionRead } from './partition-reads.ts';

/** Partitions of a fetch that is under way, by their keys. */
export type AskedPartitions = ReadonlyMap<string, HeldPartition>;

/** All partitions that a member holds; those that stay in a new assignment keep their position and what was fetched. */
export class HeldPartitions {
  #assignment: Assignment = { generation: 0, partitions: [] };
  /** In the order in which they are served next. */
  #held = new Map<string, HeldPartition>();

  get assignment(): Assignment {
    return this.#assignment;
  }

  get(at: IdentifiedPartition): HeldPartition | undefined {
    return this.#held.get(identifiedKey(at));
  }

  /** True when this is another assignment. A topic that was made anew is another topic. */
  replace(partitions: readonly IdentifiedPartition[]): boolean {
    const held = new Map<string, HeldPartition>();
    let stayed = 0;
    for (const at of partitions) {
      const key = identifiedKey(at);
      const before = this.#held.get(key);
      if (before !== undefined) stayed += 1;
      held.set(key, before ?? new HeldPartition(at));
    }
    if (stayed === held.size && stayed === this.#held.size) return false;
    this.#held = held;
    this.#assignment = { generation: this.#assignment.generation + 1, partitions };
    return true;
  }

  /** True when something that was fetched waits to be polled. */
  get hasReady(): boolean {
    for (const partition of this.#held.values()) if (partition.isReady) return true;
    return false;
  }

  /** True when there was nothing at any of these positions when it was asked for last. */
  areIdle(positions: readonly Position[]): boolean {
    return positions.every((at) => this.get(at)?.isIdle === true);
  }

  /** Where to fetch; nothing while more than `mostBytes` wait to be polled. */
  wanted(now: number, mostBytes: number): readonly Position[] {
    if (this.#fetchedBytes() > mostBytes) {
      for (const partition of this.#held.values()) partition.makeRoom();
      if (this.#fetchedBytes() > mostBytes) return [];
    }
    return [...this.#held.values()].flatMap((partition) => partition.wanted(now) ?? []);
  }

  /** A fetch of these begins; gives them as they are held now. */
  asked(positions: readonly Position[]): AskedPartitions {
    const asked = new Map<string, HeldPartition>();
    for (const at of positions) {
      const partition = this.get(at);
      partition?.asked();
      if (partition !== undefined) asked.set(identifiedKey(at), partition);
    }
    return asked;
  }

  /** Takes the answers to a fetch, of what is still held. True when one of them is something to poll. */
  answered(asked: AskedPartitions, reads: readonly PartitionRead[], now: number): boolean {
    for (const partition of asked.values()) partition.answered();
    let isNews = false;
    for (const read of reads) {
      const partition = asked.get(identifiedKey(read.at));
      if (partition === undefined || this.get(read.at) !== partition) continue;
      if (read.kind === 'batch') partition.accept(read.batch, read.at.offset, now);
      else if (read.kind === 'failed') partition.failed(read, now);
      isNews ||= partition.isReady;
    }
    return isNews;
  }

  /** Batches of about `maxBytes` in all. Whoever was served goes to the end of the line. */
  take(maxBytes: number): readonly RecordBatch[] {
    const batches: RecordBatch[] = [];
    let left = maxBytes;
    for (const [key, held] of Array.from(this.#held)) {
      if (left <= 0) break;
      const batch = held.take(left);
      if (batch === undefined) continue;
      batches.push(batch);
      for (const { value } of batch.records) left -= value.byteLength;
      this.#held.delete(key);
      this.#held.set(key, held);
    }
    return batches;
  }

  #fetchedBytes(): number {
    let bytes = 0;
    for (const partition of this.#held.values()) bytes += partition.fetchedBytes;
    return bytes;
  }
}
