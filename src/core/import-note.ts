import type { Incarnation } from './ids.ts';
import type { Partition } from './offset.ts';
import type { Run } from './progress/intervals.ts';
import { sumSlices } from './progress/slice-sum.ts';
import type { PackedOffsets } from './progress/packed-offsets.ts';
import { replayedCounts } from './progress/replay.ts';
import type { RunningImport, RunningReplay, SinkProgress, StagedSlice } from './progress/sink-progress.ts';

/** What became of one import, for people. Collection `import-history`; nothing is decided by it. */
export interface ImportNote {
  readonly incarnation: Incarnation;
  readonly number: number;
  readonly id: string;
  readonly verdict: 'loaded' | 'abandoned';
  /** What its slices held. An abandoned import loaded nothing; a later one takes its slices. */
  readonly rows: number;
  readonly dead: number;
  readonly slices: number;
  /** CSV bytes. */
  readonly bytes: number;
  readonly mappingVersion: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly durationMs: number;
  /** The rest is absent in a note of an earlier version of the product. CSV bytes of the rows alone. */
  readonly rowBytes?: number;
  /** What these took in staging; absent: as many. */
  readonly storedRowBytes?: number;
  /** When the file that it took was opened, milliseconds since the epoch. */
  readonly openedAt?: number;
  /** Arrival of the first and the last event, milliseconds since the epoch. */
  readonly firstArrival?: number;
  readonly lastArrival?: number;
  /** The source offsets that its slices cover, those of a partition in their order; what was filtered in between is among them. */
  readonly ranges?: readonly ImportedRange[];
  /** Of a batch of a replay, which has no slices: its rows came, and these letters went. */
  readonly replay?: NotedReplay;
}

export interface NotedReplay {
  readonly id: string;
  /** Dead letters that it took: its rows, and those that the mapping does not want any more. */
  readonly letters: number;
  /** By partition: where they stand in the source. */
  readonly offsets: Readonly<Record<string, PackedOffsets>>;
}

/** Source offsets (from, to] of one partition. */
export interface ImportedRange extends Run {
  readonly partition: Partition;
}

/** How and when an import ended. */
export interface ImportEnd {
  readonly verdict: ImportNote['verdict'];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Measured by whoever saw the import begin; without it the two stamps have to do. */
  readonly durationMs?: number;
}

/** The note of an import that has a verdict. */
export function importNote(
  { incarnation }: SinkProgress,
  { number, id, slices, startedAt, openedAt }: RunningImport,
  end: ImportEnd,
): ImportNote {
  return {
    incarnation,
    number,
    id,
    verdict: end.verdict,
    ...sumSlices(slices),
    mappingVersion: slices[0]?.mappingVersion ?? 0,
    startedAt,
    ...(openedAt === undefined ? {} : { openedAt }),
    finishedAt: end.at,
    durationMs: durationOf(startedAt, end),
    ranges: rangesOf(slices),
  };
}

/** The note of a batch of a replay that has a verdict. */
export function replayNote(
  { incarnation }: SinkProgress,
  { number, id, replayId, mappingVersion, letters, rowsObject, startedAt, firstArrival, lastArrival }: RunningReplay,
  end: ImportEnd,
): ImportNote {
  const { rows, dead } = replayedCounts({ letters });
  const offsets = Object.fromEntries(Object.entries(letters).map(([partition, one]) => [partition, one.offsets]));
  const bytes = rowsObject?.bytes ?? 0;
  return {
    incarnation,
    number,
    id,
    verdict: end.verdict,
    rows,
    dead: 0,
    slices: 0,
    bytes,
    rowBytes: bytes,
    mappingVersion,
    startedAt,
    finishedAt: end.at,
    durationMs: durationOf(startedAt, end),
    firstArrival,
    lastArrival,
    replay: { id: replayId, letters: -dead, offsets },
  };
}

function durationOf(startedAt: number, { at, durationMs }: ImportEnd): number {
  return Math.round(durationMs ?? Math.max(0, at - startedAt));
}

/** Slices of a partition that follow each other are one range. */
function rangesOf(slices: readonly StagedSlice[]): readonly ImportedRange[] {
  const ranges: ImportedRange[] = [];
  for (const { partition, from, to } of slices) {
    const at = ranges.findLastIndex((range) => range.partition === partition);
    const last = ranges[at];
    if (last?.to === from) ranges[at] = { partition, from: last.from, to };
    else ranges.push({ partition, from, to });
  }
  return ranges;
}
