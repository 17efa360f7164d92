import { limits } from '../limits.ts';
import { MillraceError } from '../millrace-error.ts';
import type { Offset, Partition } from '../offset.ts';
import { countWanted, nextWanted } from './intervals.ts';
import { withPassed } from './passed-intervals.ts';
import {
  entryOf,
  heldSlices,
  outdated,
  refused,
  sameEntry,
  totalsOf,
  type PartitionEntry,
  type Refused,
  type SinkProgress,
  type StagedSlice,
} from './sink-progress.ts';

/** What a reader holds of one partition since `base`, ready to become part of the document. */
export interface Seal {
  readonly partition: Partition;
  /** The entry that the reader started from. */
  readonly base: PartitionEntry;
  /** The entry's new positions. */
  readonly sink: Offset;
  readonly source: Offset;
  /** That `source` was read in, where it is known. */
  readonly epoch?: number | undefined;
  /** Of the last outcome; absent when none was taken. */
  readonly mappedWith?: number | undefined;
  readonly filtered: number;
  readonly holes: number;
  readonly none: number;
  /** Events beyond the first of records that hold several; absent: there was no such record. */
  readonly unpacked?: number;
  /** Absent when only positions move. */
  readonly slice?: StagedSlice;
  /** When the names of the slice's objects were made, milliseconds since the epoch. */
  readonly stamp: number;
}

/** How many slices a document holds, wherever they wait. */
export function sliceCount(progress: SinkProgress): number {
  return progress.staged.length + progress.parked.length + (progress.importing?.slices.length ?? 0);
}

/** The objects may be gone: new ones are needed. */
export function outrun(stamp: number, floor: number): Refused {
  const [named, reached] = [stamp, floor].map((at) => new Date(at).toISOString());
  const reason = `the names of its objects are of ${named}, and the clean-up has reached ${reached}: it is uploaded again`;
  return refused(reason, 'stage.outrun');
}

/**
 * The stamp for names of objects that are about to be put: the present time, by the clock of this process or by the one
 * that raised the floor, whichever is ahead. So an upload has as much time with a clock that is behind as with any
 * other.
 */
export function uploadStamp(now: number, floor: number): number {
  return Math.max(now, floor + limits.uploadLeaseMs);
}

/** What the clean-up may raise the floor to: no upload that began later is refused. */
export function floorNow(now: number): number {
  return now - limits.uploadLeaseMs;
}

/**
 * Moves one partition's entry and adds the slice. Refused when the entry is not `base` any more, the stamp lies below the
 * floor (the slice needs new objects), or too many slices wait. `internal.bug` when the counts or the slice are not those
 * of the offsets that it passes, or a position goes back: nothing is lost while the sink stands still (D4).
 */
export function seal(progress: SinkProgress, change: Seal): SinkProgress | Refused {
  const { partition, base, slice, mappedWith, unpacked = 0 } = change;
  const entry = entryOf(progress, partition);
  if (!sameEntry(entry, base)) return outdated('the entry has changed');
  if (slice !== undefined && change.stamp < progress.floor) return outrun(change.stamp, progress.floor);
  if (slice !== undefined && sliceCount(progress) >= limits.stagedSlices) return refused('too many slices wait');
  const passed = countWanted(base.intervals, { from: base.source, to: change.source });
  requireExact(change, passed);
  const totals = totalsOf(progress, partition);
  const advanced = advance(entry, change);
  const forgotten = entry.intervals.filter((one) => !advanced.intervals.includes(one));
  return {
    ...progress,
    ...withPassed(progress, { partition, forgotten }),
    entries: { ...progress.entries, [partition]: advanced },
    totals: {
      ...progress.totals,
      [partition]: {
        ...totals,
        passed: totals.passed + passed,
        filtered: totals.filtered + change.filtered,
        holes: totals.holes + change.holes,
        none: totals.none + change.none,
        ...(unpacked > 0 ? { unpacked: (totals.unpacked ?? 0) + unpacked } : {}),
      },
    },
    staged: slice === undefined ? progress.staged : [...progress.staged, slice],
    ...(mappedWith === undefined ? {} : { mappedWith: { ...progress.mappedWith, [partition]: mappedWith } }),
  };
}

function requireExact(change: Seal, passed: number): void {
  const { base, slice, partition, unpacked = 0 } = change;
  if (
    slice !== undefined &&
    (slice.partition !== partition || slice.from !== base.source || slice.to !== change.source)
  )
    throw new MillraceError(
      'internal.bug',
      `slice ${slice.id} covers (${slice.from}, ${slice.to}] of partition ${slice.partition}, ` +
        `but its seal passes (${base.source}, ${change.source}] of partition ${partition}`,
    );
  const counted = change.filtered + change.holes + change.none + (slice?.rows ?? 0) + (slice?.dead ?? 0);
  if (counted === passed + unpacked && change.sink >= base.sink && change.source >= base.source) return;
  throw new MillraceError(
    'internal.bug',
    `a seal of partition ${partition} passes ${passed} source offsets${unpacked > 0 ? ` with ${unpacked} more events` : ''} but counts ${counted}, ` +
      `from (${base.sink}, ${base.source}) to (${change.sink}, ${change.source})`,
  );
}

/** The entry that a seal makes of `base`: its new positions; intervals that are passed are forgotten, but never the last one. */
export function advance(
  { epoch: _, ...base }: PartitionEntry,
  { sink, source, epoch }: Pick<Seal, 'sink' | 'source' | 'epoch'>,
): PartitionEntry {
  let { intervals } = base;
  for (
    let first = intervals[0];
    intervals.length > 1 && first !== undefined && first.end !== null && first.end <= source + 1;
    first = intervals[0]
  ) {
    intervals = intervals.slice(1);
  }
  return { ...base, sink, source, intervals, ...(epoch === undefined ? {} : { epoch }) };
}

export interface Tear {
  readonly partition: Partition;
  readonly base: PartitionEntry;
  /** Where reading the sink topic goes on: above what it lost, and above the outcome that showed it. */
  readonly low: Offset;
  /**
   * Stable end of the source partition, read after `low`. What was lost had been mapped from events that could be read,
   * so it lies below this end.
   */
  readonly sourceEnd: Offset;
  /** First offset that the source partition still holds, read with its end. */
  readonly sourceFirst: Offset;
}

/**
 * The sink topic lost outcomes that were not taken: skips to `low` and notes it, so that mappers map again what comes
 * after the entry as far as the source still has it. Refused when the entry is not `base` any more, or nothing is lost
 * that is not known. What the reader holds is sealed first, because its position is not the entry's.
 */
export function tear(progress: SinkProgress, { partition, base, low, ...source }: Tear): SinkProgress | Refused {
  const entry = entryOf(progress, partition);
  if (!sameEntry(entry, base)) return outdated('the entry has changed');
  const known = base.torn.lost ?? 0;
  if (low < base.sink || (low === base.sink && source.sourceFirst <= known)) return refused('it is known already');
  const lost = Math.max(known, source.sourceFirst);
  const end = Math.max(base.torn.end, source.sourceEnd);
  const torn = { ...entry.torn, low, end, ...(lost > 0 ? { lost } : {}) };
  return { ...progress, entries: { ...progress.entries, [partition]: { ...entry, sink: low, torn } } };
}

/**
 * True when nothing was taken since the entry's note of lost outcomes: `source` is the position of a reader that began at `base`. The
 * end of a note that all has been taken of explains nothing any more.
 */
export function awaitsMapping(base: PartitionEntry, source: Offset): boolean {
  return base.torn.end > source + 1 && base.sink === base.torn.low && source === base.source;
}

/**
 * First sink offset that may be read (again) from this entry: what lies below is needed by nobody. Until all that went
 * missing has come back, what was passed over stays, and the outcome before it that showed the loss: should the source
 * be lost, nothing else has these events.
 */
export function neededFrom({ sink, source, intervals, torn }: PartitionEntry): Offset {
  const wanted = nextWanted(intervals, source);
  return wanted === undefined || wanted >= torn.end ? sink : Math.max(0, torn.low - 1);
}

/** Raises the floor below which no slice is accepted; never lowers it. */
export function raiseFloor(progress: SinkProgress, floor: number): SinkProgress | Refused {
  return floor > progress.floor ? { ...progress, floor } : refused('the floor is there already');
}

/** Names of all objects that the document still needs. */
export function namedObjects(progress: SinkProgress): ReadonlySet<string> {
  const names = new Set<string>();
  for (const slice of heldSlices(progress)) {
    if (slice.rowsObject !== undefined) names.add(slice.rowsObject.name);
    if (slice.deadObject !== undefined) names.add(slice.deadObject.name);
  }
  const { rowsObject, lettersObject } = progress.replaying ?? {};
  for (const object of [rowsObject, lettersObject]) if (object !== undefined) names.add(object.name);
  return names;
}
