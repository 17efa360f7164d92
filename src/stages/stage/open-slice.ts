import { join } from 'node:path';
import type { LineOutcome } from '../../core/outcome.ts';
import type { TriggerState } from '../../core/trigger.ts';
import { PartWriter } from './part-writer.ts';

/** Counts of offsets that make no line. */
export interface RunCounts {
  filtered: number;
  holes: number;
  none: number;
}

/** What a reader holds of its partition since its entry: lines of one mapping version, and counts. */
export class OpenSlice {
  readonly rows: PartWriter;
  readonly dead: PartWriter;
  readonly counts: RunCounts = { filtered: 0, holes: 0, none: 0 };
  rowCount = 0;
  deadCount = 0;
  firstArrival = Number.POSITIVE_INFINITY;
  lastArrival = Number.NEGATIVE_INFINITY;
  /** Undefined until the first line. */
  mappingVersion: number | undefined;
  /** Monotonic time of the first outcome; undefined while nothing was taken. */
  openedAt: number | undefined;

  /** `folder` exists; `name` is unique in it. */
  constructor(folder: string, name: string) {
    this.rows = new PartWriter(join(folder, `${name}.rows.csv`));
    this.dead = new PartWriter(join(folder, `${name}.dead.csv`));
  }

  get hasLines(): boolean {
    return this.rowCount + this.deadCount > 0;
  }

  add(outcome: LineOutcome): void {
    if (outcome.kind === 'row') {
      this.rows.append(outcome.line);
      this.rowCount += 1;
    } else {
      this.dead.append(outcome.line);
      this.deadCount += 1;
    }
    this.mappingVersion = outcome.mappingVersion;
    if (outcome.arrivedAt < this.firstArrival) this.firstArrival = outcome.arrivedAt;
    if (outcome.arrivedAt > this.lastArrival) this.lastArrival = outcome.arrivedAt;
  }

  /** As the triggers of step 1 see it. */
  triggerState(monotonicNow: number): TriggerState {
    return {
      count: this.rowCount + this.deadCount,
      bytes: this.rows.bytes + this.dead.bytes,
      ageMs: this.openedAt === undefined ? undefined : monotonicNow - this.openedAt,
    };
  }

  /** Forgets the lines and removes the files. Idempotent. */
  discard(): void {
    this.rows.discard();
    this.dead.discard();
  }
}
