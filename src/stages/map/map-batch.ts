import type { Offset } from '../../core/offset.ts';
import type { LineOutcome, Outcome, RunOutcome } from '../../core/outcome.ts';
import { nextWanted, type Interval } from '../../core/progress/intervals.ts';

/** What one record became: a finished line, or nothing because the mapping does not want it. */
export type Mapped =
  | { readonly kind: 'row' | 'dead'; readonly line: Uint8Array; readonly arrivedAt: number }
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
  /** Maps the record at an index of `offsets`. */
  readonly map: (index: number) => Mapped;
}

export interface MappedBatch {
  readonly outcomes: readonly Outcome[];
  readonly position: Offset;
}

/**
 * Outcomes of one sink for a batch: in source order, contiguous inside the sink's intervals, runs joined. Offsets below
 * `first` were taken by retention and are `lost`; offsets without a record are `none`.
 */
export function mapBatch(batch: MapBatch): MappedBatch {
  const outcomes: Outcome[] = [];
  let position = batch.position;
  for (;;) {
    const wanted = nextWanted(batch.intervals, position);
    if (wanted === undefined || wanted >= batch.next) return { outcomes, position };
    const stop = Math.min(batch.next, endOf(batch.intervals, wanted));
    mapInterval(batch, { wanted, stop, outcomes });
    position = stop - 1;
  }
}

function endOf(intervals: readonly Interval[], offset: Offset): Offset {
  const interval = intervals.find(({ start, end }) => start <= offset && (end === null || offset < end));
  return interval?.end ?? Number.POSITIVE_INFINITY;
}

interface IntervalPart {
  readonly wanted: Offset;
  readonly stop: Offset;
  readonly outcomes: Outcome[];
}

function mapInterval(batch: MapBatch, { wanted, stop, outcomes }: IntervalPart): void {
  const { mappingVersion, offsets } = batch;
  let before = wanted - 1;
  const run = (kind: RunOutcome['kind'], to: Offset): void => {
    if (to > before) addRun(outcomes, { kind, from: before, to, mappingVersion });
    before = Math.max(before, to);
  };
  run('lost', Math.min(batch.first, stop) - 1);
  for (let index = firstAtOrAbove(offsets, before + 1); index < offsets.length; index += 1) {
    const offset = offsets[index] ?? stop;
    if (offset >= stop) break;
    run('none', offset - 1);
    const mapped = batch.map(index);
    if (mapped.kind === 'filtered') run('filtered', offset);
    else outcomes.push(lineOutcome(mapped, { from: before, to: offset, mappingVersion }));
    before = offset;
  }
  run('none', stop - 1);
}

function lineOutcome(
  { kind, line, arrivedAt }: Exclude<Mapped, { kind: 'filtered' }>,
  covers: { readonly from: Offset; readonly to: Offset; readonly mappingVersion: number },
): LineOutcome {
  return { kind, from: covers.from, to: covers.to, mappingVersion: covers.mappingVersion, arrivedAt, line };
}

function addRun(outcomes: Outcome[], run: RunOutcome): void {
  const last = outcomes.at(-1);
  if (last?.kind === run.kind && last.to === run.from) outcomes[outcomes.length - 1] = { ...run, from: last.from };
  else outcomes.push(run);
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
