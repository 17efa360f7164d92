import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import type { IdentifiedPartition, NewRecord, PartitionCondition } from '../../ports/event-log.ts';
import type { AppendTrouble } from '../../telemetry/observe-appends.ts';
import {
  appendTogetherBytes,
  appendWaitingBytes,
  lateAppendMs,
  maxBatchBytes,
  recordOverheadBytes,
  untriedTrialMs,
} from './config.ts';
import { fromKafka } from './errors.ts';
import type { BatchEncoder } from './producers.ts';

/** Times are milliseconds of the monotonic clock. */
interface Append {
  readonly records: readonly NewRecord[];
  readonly bytes: number;
  readonly arrivedAt: number;
  /** Settled by then, stored or not. */
  readonly deadline: number;
  /** Refused when it is not on its way by then. */
  readonly sendBy: number;
  readonly resolve: (offset: Offset) => void;
  readonly reject: (reason: unknown) => void;
  /** Too large together with others. */
  isAlone: boolean;
}

/** Appends that go out as one batch, the same to the byte each time that it is sent. */
export interface LaneBatch {
  readonly appends: readonly Append[];
  readonly bytes: Buffer;
  /** Requests with it of which nothing has been heard yet. */
  unanswered: number;
  /** An earlier try came to no end that is known. */
  wasUnclear: boolean;
}

/** What an append may take. */
export interface AppendTimes {
  readonly now: number;
  readonly withinMs: number;
  readonly sendWithinMs: number;
}

/**
 * The appends of one partition: those that wait, and the batch that is on its way. Each ends by its deadline. What was never sent
 * is refused, as not stored; what was sent and not answered is unclear. A partition that stored nothing while an append met its
 * deadline refuses: further ones are refused at once. One that could not even send in time is late: it takes
 * appends, and whoever has a choice passes it over. Both end with the first append that is stored, which may be a trial, and when nobody
 * has anything for a trial.
 */
export class AppendLane {
  readonly at: IdentifiedPartition;
  #waiting: Append[] = [];
  #waitingBytes = 0;
  #batch: LaneBatch | undefined;
  #trouble: 'none' | 'late' | 'refusing' = 'none';
  /** One append is let through, to see. */
  #isTrial = false;
  #trialBegan = 0;
  #lastStored = Number.NEGATIVE_INFINITY;
  #lastFailure: unknown;

  constructor(at: IdentifiedPartition) {
    this.at = at;
  }

  get hasWork(): boolean {
    return this.#batch !== undefined || this.#waiting.length > 0;
  }

  /** Something is wrong, and nothing on its way would tell that it is mended. */
  get needsProbe(): boolean {
    return this.#trouble !== 'none' && !this.#isTrial && !this.hasWork;
  }

  /** What is wrong with it, and why as far as is known; it stays while a trial is made. */
  get trouble(): AppendTrouble | undefined {
    if (this.#trouble === 'none') return undefined;
    return { at: this.at, condition: this.#trouble, reason: messageOf(this.#lastFailure ?? notAnswered) };
  }

  condition(now: number): PartitionCondition {
    if (this.#trouble !== 'none') return this.#isTrial && !this.hasWork ? 'well' : this.#trouble;
    return this.#isLate(now) ? 'late' : 'well';
  }

  append(records: readonly NewRecord[], { now, withinMs, sendWithinMs }: AppendTimes): Promise<Offset> {
    if (this.condition(now) === 'refusing') return rejected(this.#refused(this.#lastFailure));
    const bytes = records.reduce((sum, record) => sum + sizeOf(record), 0);
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > appendWaitingBytes) {
      return rejected(this.#refused(new Error(`${this.#waitingBytes} bytes wait for it already`)));
    }
    const { promise, resolve, reject } = Promise.withResolvers<Offset>();
    const [deadline, sendBy] = [now + withinMs, now + Math.min(withinMs, sendWithinMs)];
    this.#waiting.push({ records, bytes, arrivedAt: now, deadline, sendBy, resolve, reject, isAlone: false });
    this.#waitingBytes += bytes;
    return promise;
  }

  /** The batch to send now: the one that is not answered yet, or one of appends that wait; undefined when there are none. */
  next(encode: BatchEncoder): LaneBatch | undefined {
    while (this.#batch === undefined && this.#waiting.length > 0) {
      const appends = this.#take();
      const bytes = encode(appends.flatMap(({ records }) => records));
      if (bytes === undefined) {
        this.#putBack(appends, false);
        return undefined;
      }
      if (bytes.length <= maxBatchBytes) this.#batch = { appends, bytes, unanswered: 0, wasUnclear: false };
      else if (appends.length > 1) this.#putBack(appends, true);
      else for (const { reject } of appends) reject(tooLarge(this.at, bytes.length));
    }
    if (this.#batch !== undefined) this.#batch.unanswered += 1;
    return this.#batch;
  }

  stored(batch: LaneBatch, offset: Offset, now: number): void {
    this.#lastStored = now;
    this.#forgive();
    this.#end(batch);
    let first = offset;
    for (const { records, resolve } of batch.appends) {
      resolve(first);
      first += records.length;
    }
  }

  /**
   * It was refused before it was written, and may be written later; it waits again, unless an earlier try may have been
   * stored.
   */
  refusedForNow(batch: LaneBatch, failure: unknown): void {
    this.missed(failure);
    if (this.#batch !== batch || maybeStored(batch)) return;
    this.#end(batch);
    if (!this.#isTrial) {
      this.#putBack(batch.appends, false);
      return;
    }
    this.#isTrial = false;
    for (const { reject } of batch.appends) reject(this.#refused(failure));
  }

  /** It is too large; several are tried one by one. */
  refusedAsTooLarge(batch: LaneBatch, failure: unknown): void {
    if (this.#batch === batch && batch.appends.length > 1 && !maybeStored(batch)) {
      this.#end(batch);
      this.#putBack(batch.appends, true);
    } else this.fail(batch, failure);
  }

  /** A try that settles nothing. */
  missed(failure: unknown): void {
    this.#lastFailure = failure;
  }

  /** Ends a batch that nothing mends. */
  fail(batch: LaneBatch, failure: unknown): void {
    this.#end(batch);
    const error = maybeStored(batch) ? this.#unclear(failure) : this.#neverStored(failure);
    for (const { reject } of batch.appends) reject(error);
  }

  /** Ends everything. */
  failAll(failure: unknown): void {
    if (this.#batch !== undefined) this.fail(this.#batch, failure);
    this.#rejectWaiting(this.#neverStored(failure));
  }

  /**
   * Settles what has met a deadline. True when the batch was given up: what is sent later must be recognisable as
   * another one.
   */
  expire(now: number): boolean {
    const failure = this.#lastFailure ?? notAnswered;
    const isStuck = ({ arrivedAt }: Append): boolean => arrivedAt > this.#lastStored;
    const isOver = ({ deadline }: Append): boolean => deadline <= now;
    const withdrawn = this.#withdraw(({ sendBy }) => sendBy <= now, failure).filter(isStuck);
    const batch = this.#batch;
    const expired = batch?.appends.filter(isOver) ?? [];
    if (batch !== undefined && expired.length > 0) {
      const error = maybeStored(batch) ? this.#unclear(failure) : this.#refused(failure);
      for (const { reject } of expired) reject(error);
    }
    if (expired.some(isStuck) || withdrawn.some(isOver)) this.#refuse(failure);
    else if (withdrawn.length > 0 && this.#trouble === 'none') this.#trouble = 'late';
    if (this.#isTrial && this.#isLate(now)) this.#isTrial = false;
    if (this.#isTrial && !this.hasWork && now - this.#trialBegan >= untriedTrialMs) this.#forgive();
    if (batch === undefined || !batch.appends.every(isOver)) return false;
    this.#end(batch);
    return true;
  }

  /** What was found wrong seems to be mended: the next append is tried, alone. */
  beginTrial(now: number): void {
    if (!this.needsProbe) return;
    this.#isTrial = true;
    this.#trialBegan = now;
  }

  isCurrent(batch: LaneBatch): boolean {
    return this.#batch === batch;
  }

  #isLate(now: number): boolean {
    const [oldest] = this.#batch?.appends ?? this.#waiting;
    return oldest !== undefined && now - oldest.arrivedAt > lateAppendMs;
  }

  #refuse(failure: unknown): void {
    this.#trouble = 'refusing';
    this.#isTrial = false;
    this.#rejectWaiting(this.#refused(failure));
  }

  #forgive(): void {
    this.#trouble = 'none';
    this.#isTrial = false;
  }

  #end(batch: LaneBatch): void {
    if (this.#batch === batch) this.#batch = undefined;
  }

  #take(): readonly Append[] {
    let bytes = 0;
    const count = this.#waiting.findIndex((append, at) => {
      bytes += append.bytes;
      return at > 0 && (bytes > appendTogetherBytes || append.isAlone || this.#waiting[0]?.isAlone === true);
    });
    const taken = this.#waiting.splice(0, count === -1 ? this.#waiting.length : count);
    for (const append of taken) this.#waitingBytes -= append.bytes;
    return taken;
  }

  #putBack(appends: readonly Append[], isAlone: boolean): void {
    for (const append of appends) {
      append.isAlone ||= isAlone;
      this.#waitingBytes += append.bytes;
    }
    this.#waiting.unshift(...appends);
  }

  #withdraw(which: (append: Append) => boolean, failure: unknown): readonly Append[] {
    const gone = this.#waiting.filter(which);
    if (gone.length === 0) return gone;
    this.#waiting = this.#waiting.filter((append) => !which(append));
    const error = this.#refused(failure);
    for (const { bytes, reject } of gone) {
      this.#waitingBytes -= bytes;
      reject(error);
    }
    return gone;
  }

  #rejectWaiting(error: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const { reject } of waiting) reject(error);
  }

  #refused(cause: unknown): MillraceError {
    const { topic, partition } = this.at;
    const message = `partition ${partition} of topic "${topic}" takes nothing now: ${messageOf(cause)}`;
    return new MillraceError('log.refused', message, { cause, details: { topic, partition } });
  }

  /** What has a code of its own keeps it: that the topic is not there, or that the records are too large. */
  #neverStored(failure: unknown): Error {
    const error = fromKafka(failure, `cannot append to topic "${this.at.topic}"`, { ...this.at });
    return error instanceof MillraceError && error.code === 'log.unavailable' ? this.#refused(failure) : error;
  }

  #unclear(cause: unknown): MillraceError {
    const { topic, partition } = this.at;
    const message = `an append to partition ${partition} of topic "${topic}" may have been stored: ${messageOf(cause)}`;
    return new MillraceError('log.unavailable', message, { cause, details: { topic, partition } });
  }
}

const notAnswered = new Error('nothing was answered in time');

function maybeStored({ unanswered, wasUnclear }: LaneBatch): boolean {
  return unanswered > 0 || wasUnclear;
}

/** In another turn of the event loop: a caller that tries again at once must not keep the answers from coming in. */
function rejected(error: Error): Promise<never> {
  return new Promise((_, reject) => void setImmediate(reject, error));
}

function tooLarge({ topic }: TopicPartition, bytes: number): MillraceError {
  const message = `an append of ${bytes} bytes to topic "${topic}" is larger than ${maxBatchBytes} bytes, the most that is sent`;
  return new MillraceError('log.recordTooLarge', message, { details: { topic } });
}

/** Counts what an event takes even without a body: its place and its headers, which may be many times its body. */
function sizeOf({ value, headers, sharedHeaders = [] }: NewRecord): number {
  let bytes = recordOverheadBytes + value.byteLength;
  for (const text of headers) bytes += text.length;
  for (const text of sharedHeaders) bytes += text.length;
  return bytes;
}
