import type { Incarnation } from './ids.ts';
import type { Partition } from './offset.ts';
import type { Run } from './progress/intervals.ts';
import { sumSlices } from './progress/slice-sum.ts';
import type { RunningImport, SinkProgress, StagedSlice } from './progress/sink-progress.ts';

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
  { verdict, at, durationMs }: ImportEnd,
): ImportNote {
  return {
    incarnation,
    number,
    id,
    verdict,
    ...sumSlices(slices),
    mappingVersion: slices[0]?.mappingVersion ?? 0,
    startedAt,
    ...(openedAt === undefined ? {} : { openedAt }),
    finishedAt: at,
    durationMs: Math.round(durationMs ?? Math.max(0, at - startedAt)),
    ranges: rangesOf(slices),
  };
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
