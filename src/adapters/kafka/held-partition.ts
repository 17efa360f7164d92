import type { MillraceError } from '../../core/millrace-error.ts';
import type { Offset } from '../../core/offset.ts';
import type { IdentifiedPartition, LogRecord, RecordBatch } from '../../ports/event-log.ts';
import { failureRepeatMs, partitionRetryMs, unreadableAfterMs } from './config.ts';
import { emptyBatch } from './empty-batch.ts';
import type { Position } from './fetch-request.ts';

/** A partition that a member holds: where it reads, and what was fetched from there and not polled yet. */
export class HeldPartition {
  readonly at: IdentifiedPartition;
  #position: Offset | undefined;
  #paused = false;
  #fetched: RecordBatch | undefined;
  #fetchedBytes = 0;
  #isAsked = false;
  #isIdle = false;
  #notBefore = 0;
  #failingSince: number | undefined;

  constructor(at: IdentifiedPartition) {
    this.at = at;
  }

  /** Bytes that were fetched and not polled. */
  get fetchedBytes(): number {
    return this.#fetchedBytes;
  }

  /** True when there is something to poll. */
  get isReady(): boolean {
    return this.#fetched !== undefined && !this.#paused;
  }

  /** True when there was nothing at its position when it was asked for last. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** What was fetched before is dropped. */
  seek(offset: Offset): void {
    this.#position = offset;
    this.#isIdle = false;
    this.#drop();
    this.#notBefore = 0;
    this.#failingSince = undefined;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  /** Forgets what was fetched of a paused partition, to be fetched again when it goes on. */
  makeRoom(): void {
    if (this.#paused) this.#drop();
  }

  /** Where to fetch; undefined when there is no need, or not before a later time. `now` is monotonic. */
  wanted(now: number): Position | undefined {
    const isBusy = this.#isAsked || this.#fetched !== undefined || now < this.#notBefore;
    if (this.#paused || this.#position === undefined || isBusy) return undefined;
    return { ...this.at, offset: this.#position };
  }

  /** A fetch is under way; nothing else is wanted until it was answered. */
  asked(): void {
    this.#isAsked = true;
  }

  /** Its fetch has ended, however it did. */
  answered(): void {
    this.#isAsked = false;
  }

  /** Takes what was fetched, unless the position has changed since it was asked for. */
  accept(batch: RecordBatch, asked: Offset, now: number): void {
    if (this.#position !== asked || this.#fetched !== undefined) return;
    if (batch.failure !== undefined) this.#notBefore = now + failureRepeatMs;
    else this.#failingSince = undefined;
    this.#isIdle = batch.records.length === 0 && batch.next === asked && batch.failure === undefined;
    if (this.#isIdle) return;
    this.#fetched = batch;
    this.#fetchedBytes = batch.records.reduce((sum, record) => sum + sizeOf(record), 0);
  }

  /** It could not be read and is tried again; a failure is told if it does not pass by itself, or if it lasts. */
  failed({ at, error, isPassing }: Failed, now: number): void {
    if (this.#position !== at.offset) return;
    this.#failingSince ??= now;
    this.#notBefore = now + partitionRetryMs;
    if (isPassing && now - this.#failingSince < unreadableAfterMs) return;
    this.#failingSince = now;
    this.accept(emptyBatch(at, { first: 0, next: at.offset, failure: error }), at.offset, now);
  }

  /** Up to about `maxBytes` of what was fetched, at least one record, and moves the position past it. */
  take(maxBytes: number): RecordBatch | undefined {
    const fetched = this.#fetched;
    if (fetched === undefined || this.#paused) return undefined;
    const { records, bytes } = within(fetched.records, maxBytes);
    const rest = fetched.records.slice(records.length);
    const last = records.at(-1);
    const next = rest.length > 0 && last !== undefined ? last.offset + 1 : fetched.next;
    this.#fetched = rest.length > 0 ? { ...fetched, records: rest } : undefined;
    this.#fetchedBytes -= bytes;
    this.#position = next;
    return { ...fetched, records, next };
  }

  #drop(): void {
    this.#fetched = undefined;
    this.#fetchedBytes = 0;
  }
}

interface Failed {
  readonly at: Position;
  readonly error: MillraceError;
  readonly isPassing: boolean;
}

function within(
  records: readonly LogRecord[],
  maxBytes: number,
): { readonly records: readonly LogRecord[]; readonly bytes: number } {
  let bytes = 0;
  for (const [at, record] of records.entries()) {
    const size = sizeOf(record);
    if (bytes + size > maxBytes && at > 0) return { records: records.slice(0, at), bytes };
    bytes += size;
  }
  return { records, bytes };
}

function sizeOf({ value, headers }: LogRecord): number {
  return headers.reduce((sum, text) => sum + text.length, value.byteLength);
}
