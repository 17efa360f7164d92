import { isCancellation, MillraceError } from '../../../core/millrace-error.ts';
import { appendGraceMs } from './accept-limits.ts';
import type { Intakes, OpenRequest } from './intakes.ts';
import { appendRefusal, hindered, refusals, type Refusal } from '../../../events/refusal.ts';
import { isRun, type NewRecords } from '../../../ports/event-log.ts';
import type { Sender } from './sender.ts';
import type { RequestSpan } from '../../../telemetry/request-spans.ts';
import type { Write, WriteResult } from './write.ts';

/** What became of a write, as far as it is known. */
interface Progress {
  readonly write: Write;
  outcome: WriteResult['outcome'];
}

/**
 * What one request puts into the log, whatever it came over. Bytes that it holds are counted until the log has them; its sender is told
 * once every source has said what became of its events (D1), or once the deadline has passed.
 */
export class Intake<Kind extends Sender> implements OpenRequest<Kind> {
  readonly sender: Kind;
  place = -1;
  /** Undefined for a request without one. */
  span: RequestSpan | undefined;
  readonly #intakes: Intakes<Kind>;
  #startedAt = 0;
  #arriveWithinMs = Number.POSITIVE_INFINITY;
  /** When the last byte had arrived. */
  #completedAt = 0;
  #heldBytes = 0;
  /** False between the last byte and `store`. */
  #isDecoded = true;
  /** Appends that the log has not answered. */
  #appends = 0;
  /** Writes whose outcome the sender waits for. */
  #unknown = 0;
  /** Events of the request were handed to the log. */
  #isHanded = false;
  /** It holds nothing any more, and never will. */
  #isEnded = false;
  #writes: readonly Progress[] = [];

  constructor(intakes: Intakes<Kind>, sender: Kind) {
    this.#intakes = intakes;
    this.sender = sender;
  }

  /**
   * Begins to receive a request that takes so many bytes without its body; false when there is no room for them. What has not arrived
   * within `arriveWithinMs` is cut; undefined: whoever receives it sees to that.
   */
  begin(bytes: number, arriveWithinMs = Number.POSITIVE_INFINITY): boolean {
    if (!this.hold(bytes)) return false;
    this.#arriveWithinMs = arriveWithinMs;
    this.#startedAt = this.#intakes.acceptor.clock.monotonic();
    this.#intakes.add(this);
    return true;
  }

  /** Counts bytes that the request takes until the log has its events; false when there is no room for them, or when it has ended. */
  hold(bytes: number): boolean {
    if (this.#isEnded || !this.#intakes.acceptor.inFlight.add(bytes)) return false;
    this.#heldBytes += bytes;
    return true;
  }

  /** Takes back bytes of `hold` that are there no more. */
  release(bytes: number): void {
    if (this.#isEnded) return;
    this.#intakes.acceptor.inFlight.remove(bytes);
    this.#heldBytes -= bytes;
  }

  /** Why `hold` found no room. */
  whyNot(bytes: number): Refusal {
    const couldFit = this.#intakes.acceptor.inFlight.couldFit(this.#heldBytes + bytes);
    return couldFit ? refusals.tooManyRequests : refusals.tooLargeForMemory;
  }

  /** The last byte of the request is there: its deadline is counted from now. */
  complete(): void {
    this.#completedAt = this.#intakes.acceptor.clock.monotonic();
    this.#isDecoded = false;
  }

  /** Hands the writes of the request to the log; the sender is answered, then or later. Once for a request, after `complete`. */
  store(writes: readonly Write[]): void {
    this.#isDecoded = true;
    this.#writes = writes.map((write) => ({ write, outcome: refusals.unclear }));
    this.#unknown = writes.length;
    this.#appends = writes.length;
    for (const progress of this.#writes) this.#hand(progress);
  }

  /** A defect of ours: told, and answered with what is known of the events. */
  fail(error: unknown): void {
    this.#intakes.acceptor.telemetry.failed(MillraceError.fromUnknown(error));
    this.sender.refuse(this.#isHanded ? refusals.cutByDefect : refusals.internalError);
  }

  /** What the log does later is not known to its sender; what is not decoded by then is not stored. */
  expire(now: number): void {
    const { limits } = this.#intakes.acceptor;
    if (this.sender.isReceiving && now >= this.#startedAt + this.#arriveWithinMs) {
      this.sender.cut(refusals.arrivesTooSlowly);
      return;
    }
    if (now < this.#completedAt + limits.appendTimeoutMs + appendGraceMs) return;
    if (this.#unknown > 0) this.#answer();
    else if (!this.#isDecoded) this.sender.refuse(refusals.tooManyRequests);
  }

  /** The sender is answered or gone: nothing is held but what the log still works on. */
  end(): void {
    if (this.#appends > 0) return;
    this.#isEnded = true;
    this.#intakes.acceptor.inFlight.remove(this.#heldBytes);
    this.#heldBytes = 0;
    // Its answer may wait long for a sender who does not read.
    this.#writes = [];
    this.#intakes.remove(this);
  }

  /** One append, without a promise more than the log's. */
  #hand(progress: Progress): void {
    const { source, records } = progress.write;
    if (source.refusal !== undefined) {
      this.#settle(progress, { ...hindered(source.refusal), stored: 'no' });
      return;
    }
    if (records.length === 0) {
      this.#settle(progress, source.syncWait ? 'stored' : 'accepted');
      return;
    }
    this.#isHanded = true;
    const appended = this.#intakes.appends.append(source, records, this.#heldBytes);
    if (appended === undefined) {
      this.#settle(progress, refusals.logRefused);
      return;
    }
    if (!source.syncWait) {
      this.#intakes.acceptor.telemetry.accepted(source.key, records.length);
      this.#know(progress, 'accepted');
    }
    appended.then(
      () => this.#stored(progress),
      (error: unknown) => void this.#storeElsewhere(progress, error),
    );
  }

  /** Never rejects. */
  async #storeElsewhere(progress: Progress, refused: unknown): Promise<void> {
    const { source, records } = progress.write;
    let error = refused;
    for (;;) {
      const again = this.#intakes.appends.elsewhere(source, records, { error, since: this.#completedAt });
      if (again === undefined) break;
      try {
        await again;
        this.#stored(progress);
        return;
      } catch (thrown) {
        error = thrown;
      }
    }
    this.#settleAppended(progress, this.#refusalOf(progress.write, error));
  }

  #stored(progress: Progress): void {
    const { source, records } = progress.write;
    const { telemetry, clock } = this.#intakes.acceptor;
    const bytes = valueBytesOf(records);
    telemetry.stored(source.key, { events: records.length, bytes, ms: clock.monotonic() - this.#startedAt });
    this.#settleAppended(progress, 'stored');
  }

  #refusalOf({ source, records }: Write, thrown: unknown): Refusal {
    if (isCancellation(thrown)) return refusals.cutAppend;
    const error = MillraceError.fromUnknown(thrown);
    this.#intakes.acceptor.telemetry.appendFailed(source.key, error, source.syncWait ? 0 : records.length);
    return appendRefusal(error);
  }

  /** A sender that does not wait for the log knows already what it was told (A31). */
  #settleAppended(progress: Progress, outcome: WriteResult['outcome']): void {
    if (progress.write.source.syncWait) this.#know(progress, outcome);
    this.#appended();
  }

  #settle(progress: Progress, outcome: WriteResult['outcome']): void {
    this.#know(progress, outcome);
    this.#appended();
  }

  #know(progress: Progress, outcome: WriteResult['outcome']): void {
    progress.outcome = outcome;
    this.#unknown -= 1;
    if (this.#unknown === 0) this.#answer();
  }

  #answer(): void {
    try {
      this.sender.answer(this.#writes);
    } catch (error) {
      this.fail(error);
    }
  }

  /** One append has ended, well or not. */
  #appended(): void {
    this.#appends -= 1;
    this.end();
  }
}

function valueBytesOf(records: NewRecords): number {
  if (isRun(records)) return records.valueBytes;
  let bytes = 0;
  for (const { value } of records) bytes += value.length;
  return bytes;
}
