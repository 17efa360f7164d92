import type { StagedSlice } from './sink-progress.ts';

/** What some slices hold together. */
export interface SliceSum {
  readonly slices: number;
  readonly rows: number;
  readonly dead: number;
  /** CSV bytes of rows and dead letters. */
  readonly bytes: number;
  /** CSV bytes of the rows alone. */
  readonly rowBytes: number;
  /** What these take in staging; absent: as many. */
  readonly storedRowBytes?: number;
  /** Arrival of the first and the last event, row or dead letter, milliseconds since the epoch; absent without slices. */
  readonly firstArrival?: number;
  readonly lastArrival?: number;
}

/** The part of a slice that is summed. */
export type Measured = Pick<
  StagedSlice,
  'rows' | 'dead' | 'firstArrival' | 'lastArrival' | 'rowsObject' | 'deadObject'
>;

export function sumSlices(slices: readonly Measured[]): SliceSum {
  let [rows, dead, rowBytes, storedRowBytes, deadBytes] = [0, 0, 0, 0, 0];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const slice of slices) {
    rows += slice.rows;
    dead += slice.dead;
    rowBytes += slice.rowsObject?.bytes ?? 0;
    storedRowBytes += slice.rowsObject?.compressed?.bytes ?? slice.rowsObject?.bytes ?? 0;
    deadBytes += slice.deadObject?.bytes ?? 0;
    first = Math.min(first, slice.firstArrival);
    last = Math.max(last, slice.lastArrival);
  }
  const arrivals = slices.length === 0 ? {} : { firstArrival: first, lastArrival: last };
  const stored = storedRowBytes === rowBytes ? {} : { storedRowBytes };
  return { slices: slices.length, rows, dead, bytes: rowBytes + deadBytes, rowBytes, ...stored, ...arrivals };
}
