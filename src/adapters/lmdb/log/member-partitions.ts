import { MillraceError } from '../../../core/millrace-error.ts';
import type { Offset } from '../../../core/offset.ts';
import {
  identifiedKey,
  type Assignment,
  type IdentifiedPartition,
  type RecordBatch,
} from '../../../ports/event-log.ts';
import type { HeldPartition } from './group-registry.ts';
import type { StoredPartition } from './keys.ts';
import type { BatchReader } from './batch-reader.ts';

/** A partition that the member holds. */
interface Held extends IdentifiedPartition {
  readonly at: StoredPartition;
  /** Undefined until the first seek: not read. */
  position: Offset | undefined;
  paused: boolean;
}

/** A partition with more to read gets so much of a poll when others wait, so that none holds up the rest. */
const leastShareBytes = 64 * 1024;

/**
 * What a member holds, and which of it may have something to read: only those partitions are looked at, so a thousand
 * idle ones cost nothing.
 */
export class MemberPartitions {
  #assignment: Assignment = { generation: 0, partitions: [] };
  /** As it was given last. */
  #given: readonly HeldPartition[] = [];
  #byIdentity = new Map<string, Held>();
  #byNumber = new Map<string, Held>();
  /** In the order in which they are read next. */
  readonly #ready = new Set<Held>();

  get assignment(): Assignment {
    return this.#assignment;
  }

  /** True: this is another assignment. Partitions that stay keep their position and pause. */
  replace(held: readonly HeldPartition[]): boolean {
    if (held === this.#given) return false;
    this.#given = held;
    const byNumber = new Map<string, Held>();
    for (const { topic, partition } of held) {
      const at = { number: topic.number, partition };
      const key = numberKey(at);
      const { name, identity } = topic;
      byNumber.set(
        key,
        this.#byNumber.get(key) ?? { topic: name, identity, partition, at, position: undefined, paused: false },
      );
    }
    if (byNumber.size === this.#byNumber.size && [...byNumber.keys()].every((key) => this.#byNumber.has(key)))
      return false;
    this.#byNumber = byNumber;
    this.#byIdentity = new Map([...byNumber.values()].map((partition) => [identifiedKey(partition), partition]));
    for (const partition of this.#ready) if (!byNumber.has(numberKey(partition.at))) this.#ready.delete(partition);
    this.#assignment = {
      generation: this.#assignment.generation + 1,
      partitions: [...byNumber.values()].map(({ topic, identity, partition }) => ({ topic, identity, partition })),
    };
    return true;
  }

  seek(at: IdentifiedPartition, offset: Offset): void {
    const held = this.#require(at);
    held.position = offset;
    this.#offer(held);
  }

  pause(at: IdentifiedPartition): void {
    const held = this.#require(at);
    held.paused = true;
    this.#ready.delete(held);
  }

  resume(at: IdentifiedPartition): void {
    const held = this.#require(at);
    held.paused = false;
    this.#offer(held);
  }

  /** The partition has records below `end` now. True: there may be something to read. */
  appended(at: StoredPartition, end: Offset): boolean {
    const held = this.#byNumber.get(numberKey(at));
    if (held?.position === undefined || held.position >= end) return false;
    return this.#offer(held);
  }

  /** Looks at every partition that ends past its position in the next read. */
  offerAll(endOf: (at: StoredPartition) => Offset): void {
    for (const held of this.#byNumber.values()) {
      if (held.position !== undefined && !held.paused && held.position < endOf(held.at)) this.#ready.add(held);
    }
  }

  /** Batches of about `maxBytes` in all; partitions take turns. */
  read(reader: BatchReader, maxBytes: number): readonly RecordBatch[] {
    const batches: RecordBatch[] = [];
    let left = maxBytes;
    // A copy, because a partition that was read goes to the end of the queue.
    for (const held of Array.from(this.#ready)) {
      if (left <= 0 && batches.length > 0) break;
      const share = Math.min(left, Math.max(leastShareBytes, Math.ceil(maxBytes / this.#ready.size)));
      const position = held.position ?? 0;
      const found = reader.read(held.at, position, { enough: share, most: left });
      // A batch that was cut is gone on with first: its rest is at hand.
      if (!found.cut) this.#ready.delete(held);
      if (found.records.length === 0 && found.next <= position) continue;
      const { topic, identity, partition } = held;
      const { records, first, next } = found;
      batches.push({ topic, identity, partition, records, first, next, missing: 'lost' });
      held.position = found.next;
      left -= found.bytes;
      // Otherwise it goes to the end of the queue; the next look finds out whether there is more.
      this.#ready.add(held);
    }
    return batches;
  }

  #offer(held: Held): boolean {
    if (held.paused || held.position === undefined) return false;
    this.#ready.add(held);
    return true;
  }

  #require(at: IdentifiedPartition): Held {
    const held = this.#byIdentity.get(identifiedKey(at));
    if (held !== undefined) return held;
    throw new MillraceError('log.notAssigned', `partition ${identifiedKey(at)} is not assigned to this member`, {
      details: { topic: at.topic, partition: at.partition },
    });
  }
}

function numberKey({ number, partition }: StoredPartition): string {
  return `${number}/${partition}`;
}
