import type { DeadLetterReason } from '../../core/dead-letter.ts';
import type { Offset } from '../../core/offset.ts';
import {
  outcomeHeaderBytes,
  packedBytes,
  type LineOutcome,
  type Outcome,
  type PackedLines,
  type PackedOutcome,
  type RunOutcome,
} from '../../core/outcome.ts';
import { nextWanted, type Interval } from '../../core/progress/intervals.ts';

/** What one record became: a finished line, lines of several events, or nothing because the mapping does not want it. */
export type Mapped =
  | { readonly kind: 'row'; readonly line: Uint8Array; readonly arrivedAt: number }
  | { readonly kind: 'dead'; readonly line: Uint8Array; readonly arrivedAt: number; readonly reason: DeadLetterReason }
  | ({
      readonly kind: 'packed';
      readonly arrivedAt: number;
      readonly reasons: readonly DeadLetterReason[];
    } & PackedLines)
  | { readonly kind: 'filtered' };

export interface MapBatch {
  readonly intervals: readonly Interval[];
  /** The last source offset that the sink has an outcome for. */
  readonly position: Offset;
  readonly mappingVersion: number;
  /** First offset that the source partition still holds. */
  readonly first: Offset;
  /** Offsets of the records, ascending. */
  readonly offsets: readonly Offset[];
  /** One past the last offset that the batch speaks of, with or without a record. */
  readonly next: Offset;
  /** What an offset of the batch without a record is, from `first` on. */
  readonly missing: 'none' | 'lost';
  /**
   * Most bytes of the outcomes of one call: a line that would exceed it is left for the next call, unless it is the
   * only one. Runs may come on top: `runsOnTopBytes`.
   */
  readonly mostBytes: number;
  /** It stops when they take so many; what is left of the batch is for the next call. */
  readonly enoughBytes: number;
  /**
   * Asked before each record but the first: whether the sink's time is over. Then the rest of the batch is for another
   * turn.
   */
  readonly isDue?: () => boolean;
  /** Maps the record at an index of `offsets`. */
  readonly map: (index: number) => Mapped;
}

export interface MappedBatch {
  readonly outcomes: readonly Outcome[];
  readonly position: Offset;
  /** Why the dead letters among the outcomes are some: one for each. */
  readonly reasons: readonly DeadLetterReason[];
  /** What the outcomes take in the log, at most. */
  readonly bytes: number;
}

/** What a record takes in the log besides the line: the outcome's header, and what any log adds. */
export const outcomeOverheadBytes = outcomeHeaderBytes + 99;

/** Runs that may follow the last line: one to the end of its interval, two to the first line of the next. */
export const runsOnTopBytes = 3 * outcomeOverheadBytes;

/**
 * Outcomes of one sink for a batch: in source order, contiguous inside the sink's intervals, runs joined. Offsets below
 * `first` were taken by retention and are `lost`; other offsets without a record are what the log says.
 */
export function mapBatch(batch: MapBatch): MappedBatch {
  const made: Made = { outcomes: [], reasons: [], bytes: 0 };
  let position = batch.position;
  for (;;) {
    const wanted = nextWanted(batch.intervals, position);
    if (wanted === undefined || wanted >= batch.next) return { ...made, position };
    const stop = Math.min(batch.next, endOf(batch.intervals, wanted));
    position = mapInterval(batch, { wanted, stop }, made);
    if (position < stop - 1 || made.bytes >= batch.enoughBytes) return { ...made, position };
  }
}

function endOf(intervals: readonly Interval[], offset: Offset): Offset {
  const interval = intervals.find(({ start, end }) => start <= offset && (end === null || offset < end));
  return interval?.end ?? Number.POSITIVE_INFINITY;
}

interface IntervalPart {
  readonly wanted: Offset;
  readonly stop: Offset;
}

interface Made {
  readonly outcomes: Outcome[];
  readonly reasons: DeadLetterReason[];
  bytes: number;
}

/** Answers how far it has come: before the end of the part when there is enough. */
function mapInterval(batch: MapBatch, { wanted, stop }: IntervalPart, made: Made): Offset {
  const { mappingVersion, offsets } = batch;
  let before = wanted - 1;
  const run = (kind: RunOutcome['kind'], to: Offset): void => {
    if (to > before) addRun(made, { kind, from: before, to, mappingVersion });
    before = Math.max(before, to);
  };
  run('lost', Math.min(batch.first, stop) - 1);
  for (let index = firstAtOrAbove(offsets, before + 1); index < offsets.length; index += 1) {
    const offset = offsets[index] ?? stop;
    if (offset >= stop) break;
    if (made.bytes >= batch.enoughBytes || (made.bytes > 0 && batch.isDue?.() === true)) return before;
    run(batch.missing, offset - 1);
    const mapped = batch.map(index);
    if (mapped.kind === 'filtered') run('filtered', offset);
    else {
      const bytes = outcomeOverheadBytes + (mapped.kind === 'packed' ? packedBytes(mapped) : mapped.line.length);
      if (made.outcomes.length > 0 && made.bytes + bytes > batch.mostBytes) return before;
      made.outcomes.push(ofRecord(mapped, { from: before, to: offset, mappingVersion }));
      made.bytes += bytes;
      if (mapped.kind === 'dead') made.reasons.push(mapped.reason);
      else if (mapped.kind === 'packed') made.reasons.push(...mapped.reasons);
    }
    before = offset;
  }
  run(batch.missing, stop - 1);
  return stop - 1;
}

function ofRecord(
  mapped: Exclude<Mapped, { kind: 'filtered' }>,
  { from, to, mappingVersion }: { readonly from: Offset; readonly to: Offset; readonly mappingVersion: number },
): LineOutcome | PackedOutcome {
  if (mapped.kind === 'packed') {
    const { reasons: _, ...packed } = mapped;
    return { ...packed, from, to, mappingVersion };
  }
  const { kind, line, arrivedAt } = mapped;
  return { kind, from, to, mappingVersion, arrivedAt, line };
}

function addRun(made: Made, run: RunOutcome): void {
  const { outcomes } = made;
  const last = outcomes.at(-1);
  if (last?.kind === run.kind && last.to === run.from) outcomes[outcomes.length - 1] = { ...run, from: last.from };
  else {
    outcomes.push(run);
    made.bytes += outcomeOverheadBytes;
  }
}

function firstAtOrAbove(offsets: readonly Offset[], wanted: Offset): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] ?? wanted) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
