import type { Offset, TopicPartition } from '../../core/offset.ts';
import type { LogRecord, RecordBatch } from '../../ports/event-log.ts';
import type { Position } from './partition-reads.ts';

/** A partition that a member holds: where it reads, and what was fetched from there and not polled yet. */
export class HeldPartition {
  readonly at: TopicPartition;
  #position: Offset | undefined;
  #paused = false;
  #fetched: RecordBatch | undefined;
  #notBefore = 0;

  constructor(at: TopicPartition) {
    this.at = at;
  }

  /** What was fetched before is dropped. */
  seek(offset: Offset): void {
    this.#position = offset;
    this.#fetched = undefined;
    this.#notBefore = 0;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  /** Where to fetch; undefined when there is no need, or not before a later time. `now` is monotonic. */
  wanted(now: number): Position | undefined {
    if (this.#paused || this.#position === undefined || this.#fetched !== undefined || now < this.#notBefore) {
      return undefined;
    }
    return { ...this.at, offset: this.#position };
  }

  /** Takes what was fetched, unless the position has changed since it was asked for. */
  accept(batch: RecordBatch, asked: Offset): void {
    if (this.#position !== asked || this.#fetched !== undefined) return;
    if (batch.records.length > 0 || batch.next > asked) this.#fetched = batch;
  }

  /** Nothing is fetched before this time. */
  waitUntil(time: number): void {
    this.#notBefore = time;
  }

  /** Up to about `maxBytes` of what was fetched, at least one record, and moves the position past it. */
  take(maxBytes: number): RecordBatch | undefined {
    const fetched = this.#fetched;
    if (fetched === undefined || this.#paused) return undefined;
    const count = countWithin(fetched.records, maxBytes);
    const records = fetched.records.slice(0, count);
    const rest = fetched.records.slice(count);
    const last = records.at(-1);
    const next = rest.length > 0 && last !== undefined ? last.offset + 1 : fetched.next;
    this.#fetched = rest.length > 0 ? { ...fetched, records: rest } : undefined;
    this.#position = next;
    return { ...fetched, records, next };
  }
}

function countWithin(records: readonly LogRecord[], maxBytes: number): number {
  let bytes = 0;
  for (const [at, record] of records.entries()) {
    bytes += record.value.byteLength;
    for (const text of record.headers) bytes += text.length;
    if (bytes > maxBytes && at > 0) return at;
  }
  return records.length;
}
