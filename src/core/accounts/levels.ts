import type { Offset, Partition } from '../offset.ts';
import { countWanted } from '../progress/intervals.ts';
import { entryOf, type ImportedStatistics, type SinkProgress } from '../progress/sink-progress.ts';
import { sumSlices, type Measured } from '../progress/slice-sum.ts';
import type { Ends } from '../progress/source-ends.ts';

/** What lies at one level: before staging, in staging, or in the table. */
export interface Level {
  readonly rows: number;
  readonly dead: number;
  /** CSV bytes of the rows. */
  readonly bytes: number;
  /** What these take, or took, in staging; absent: as many. */
  readonly storedBytes?: number;
  /** Arrival of the first and the last event, row or dead letter, as far as it is known; milliseconds since the epoch. */
  readonly firstArrival?: number;
  readonly lastArrival?: number;
}

/** What the stage has taken of a partition and not sealed, or sealed a moment ago. */
export interface TakenLines {
  readonly partition: Partition;
  /** Covers the source offsets (from, to]. */
  readonly from: Offset;
  readonly to: Offset;
  readonly rows: number;
  readonly dead: number;
  readonly rowBytes: number;
  readonly firstArrival?: number;
  readonly lastArrival?: number;
}

/** By level; one that is absent is empty, or not known. */
export interface Levels {
  readonly local?: Level | undefined;
  readonly staging?: Level | undefined;
  readonly target?: Level | undefined;
}

export const emptyLevel: Level = { rows: 0, dead: 0, bytes: 0 };

/** True when the level holds anything. */
export function holdsAny(level: Level | undefined): level is Level {
  return level !== undefined && level.rows + level.dead > 0;
}

/**
 * Events that are accepted and not staged: the lines that the stage has made, and the events that it has not taken yet,
 * which count as rows until their outcome is known. `taken` was read before the document, the durable `ends` after it;
 * the entries of one partition are in order.
 */
export function localLevel(progress: SinkProgress, ends: Ends, taken: readonly TakenLines[]): Level {
  let level = emptyLevel;
  for (const [partition, end] of ends) {
    const entry = entryOf(progress, partition);
    let position = entry.source;
    for (const lines of taken) {
      if (lines.partition !== partition || lines.from !== position) continue;
      position = lines.to;
      level = addLevels(level, levelOfLines(lines));
    }
    const rows = countWanted(entry.intervals, { from: position, to: end - 1 });
    level = addLevels(level, { rows, dead: 0, bytes: 0 });
  }
  return level;
}

/** False when the document has moved past all that was taken, so that what was taken after that is not known: read both again. */
export function meets(progress: SinkProgress, taken: readonly TakenLines[]): boolean {
  return [...Map.groupBy(taken, ({ partition }) => partition)].every(([partition, lines]) => {
    const { source } = entryOf(progress, partition);
    return lines.some(({ from, to }) => from === source || to === source);
  });
}

function levelOfLines({ rows, dead, rowBytes, firstArrival, lastArrival }: TakenLines): Level {
  return { rows, dead, bytes: rowBytes, ...arrivals(firstArrival, lastArrival) };
}

/** What these slices hold. */
export function levelOfSlices(slices: readonly Measured[]): Level {
  const { rows, dead, rowBytes, storedRowBytes, firstArrival, lastArrival } = sumSlices(slices);
  return { rows, dead, bytes: rowBytes, ...stored(storedRowBytes), ...arrivals(firstArrival, lastArrival) };
}

/**
 * What was imported since the statistics were cleared. Without a first arrival when an earlier version of the product imported some of it.
 */
export function targetLevel(imported: ImportedStatistics): Level {
  const { rows, dead, bytes, storedBytes, firstArrival, lastArrival, unsized } = imported;
  return {
    rows,
    dead,
    bytes,
    ...stored(storedBytes),
    ...arrivals(unsized > 0 ? undefined : firstArrival, lastArrival),
  };
}

/** Of several incarnations together; a level that is not known of one of them is not known. */
export function sumLevels(all: readonly Levels[]): Levels {
  const total = (name: keyof Levels): Level | undefined =>
    all.reduce<Level | undefined>((sum, { [name]: one }) => sum && one && addLevels(sum, one), emptyLevel);
  return { local: total('local'), staging: total('staging'), target: total('target') };
}

export function addLevels(a: Level, b: Level): Level {
  const first = [a.firstArrival, b.firstArrival].filter((one) => one !== undefined);
  const last = [a.lastArrival, b.lastArrival].filter((one) => one !== undefined);
  return {
    rows: a.rows + b.rows,
    dead: a.dead + b.dead,
    bytes: a.bytes + b.bytes,
    ...(a.storedBytes === undefined && b.storedBytes === undefined ? {} : stored(storedBytesOf(a) + storedBytesOf(b))),
    ...(first.length === 0 ? {} : { firstArrival: Math.min(...first) }),
    ...(last.length === 0 ? {} : { lastArrival: Math.max(...last) }),
  };
}

/** Bytes of its rows as they are, or were, stored. */
export function storedBytesOf({ bytes, storedBytes = bytes }: Level): number {
  return storedBytes;
}

function stored(storedBytes: number | undefined): Pick<Level, 'storedBytes'> {
  return storedBytes === undefined ? {} : { storedBytes };
}

function arrivals(first: number | undefined, last: number | undefined): Pick<Level, 'firstArrival' | 'lastArrival'> {
  return {
    ...(first === undefined ? {} : { firstArrival: first }),
    ...(last === undefined ? {} : { lastArrival: last }),
  };
}
