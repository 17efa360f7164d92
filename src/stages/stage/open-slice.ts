import { join } from 'node:path';
import { bufferOf, outcomeHeaderBytes, readPacked, type OutcomeHeader } from '../../core/outcome.ts';
import { limits } from '../../core/limits.ts';
import type { LogRecord } from '../../ports/event-log.ts';
import type { TriggerState } from '../../core/trigger.ts';
import type { FollowedTrace } from '../../telemetry/slice-spans.ts';
import type { LineBlocks } from './line-blocks.ts';
import { PartWriter } from './part-writer.ts';

/** What is read of a record. */
export type RecordValue = Pick<LogRecord, 'value' | 'memory' | 'valueStart' | 'valueEnd'>;

/** Counts of what the lines do not tell: of offsets, and of events of records that hold several. */
export interface RunCounts {
  filtered: number;
  holes: number;
  none: number;
  /** Events beyond the first of such records. */
  unpacked: number;
}

/** What a reader holds of its partition since its entry: lines of one mapping version, and counts. */
export class OpenSlice {
  readonly rows: PartWriter;
  readonly dead: PartWriter;
  readonly counts: RunCounts = { filtered: 0, holes: 0, none: 0, unpacked: 0 };
  rowCount = 0;
  deadCount = 0;
  firstArrival = Number.POSITIVE_INFINITY;
  lastArrival = Number.NEGATIVE_INFINITY;
  /** Undefined until the first line. */
  mappingVersion: number | undefined;
  /** Traces of its lines, the first ones. */
  readonly followed: FollowedTrace[] = [];
  /** Monotonic time of the first outcome; undefined while nothing was taken. */
  openedAt: number | undefined;

  /** `folder` exists; `name` is unique in it. */
  constructor(folder: string, name: string, blocks: LineBlocks) {
    this.rows = new PartWriter(join(folder, `${name}.rows.csv`), blocks);
    this.dead = new PartWriter(join(folder, `${name}.dead.csv`), blocks);
  }

  get lineCount(): number {
    return this.rowCount + this.deadCount;
  }

  /** CSV bytes of all lines. */
  get bytes(): number {
    return this.rows.bytes + this.dead.bytes;
  }

  /** Takes the lines of an outcome whose header is `header` and whose bytes are the value of `record`. */
  add(header: OutcomeHeader, record: RecordValue): void {
    const before = this.lineCount;
    if (header.kind === 'row') {
      this.rows.append(record.memory, record.valueStart + outcomeHeaderBytes, record.valueEnd);
      this.rowCount += 1;
    } else if (header.kind === 'packed') this.#addPacked(bufferOf(record.value));
    else {
      this.dead.append(record.memory, record.valueStart + outcomeHeaderBytes, record.valueEnd);
      this.deadCount += 1;
    }
    if (this.lineCount === before) return;
    this.mappingVersion = header.mappingVersion;
    if (header.arrivedAt < this.firstArrival) this.firstArrival = header.arrivedAt;
    if (header.arrivedAt > this.lastArrival) this.lastArrival = header.arrivedAt;
  }

  #addPacked(value: Buffer): void {
    const { rows, dead, filtered, rowLines, deadLines } = readPacked(value);
    this.rows.append(bufferOf(rowLines));
    this.dead.append(bufferOf(deadLines));
    this.rowCount += rows;
    this.deadCount += dead;
    this.counts.filtered += filtered;
    this.counts.unpacked += rows + dead + filtered - 1;
  }

  /** It took a line of a trace; many are of one. */
  follow(traceparent: string, takenAt: number): void {
    if (this.followed.length === limits.tracesPerSlice) return;
    if (this.followed.some((known) => known.traceparent === traceparent)) return;
    this.followed.push({ traceparent, takenAt });
  }

  /** As the triggers of step 1 see it. */
  get triggerState(): TriggerState {
    return { count: this.lineCount, bytes: this.bytes, slices: 0, openedAt: this.openedAt };
  }

  /** Forgets the lines and removes the files. Idempotent. */
  discard(): void {
    try {
      this.rows.discard();
    } finally {
      this.dead.discard();
    }
  }
}
