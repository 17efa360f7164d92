import { SharedCounts, type SharedCountsSize } from './shared-counts.ts';
import { SharedSum } from './shared-sum.ts';

/** A number that threads have together, and how much of it each name has. */
export interface SharedTally {
  readonly all: SharedSum;
  readonly byName: SharedCounts;
}

/** The same as it is handed from thread to thread. */
export interface TallyParts {
  readonly all: SharedArrayBuffer;
  readonly byName: SharedArrayBuffer;
}

/** Of nothing. */
export function tallyParts(size: SharedCountsSize): TallyParts {
  return { all: SharedSum.parts(size.threads), byName: SharedCounts.tables(size) };
}

/** `own`: whose part is written here, of the threads from 0. */
export function sharedTally({ all, byName }: TallyParts, own: number): SharedTally {
  return { all: new SharedSum(all, own), byName: new SharedCounts(byName, own) };
}

/** Forgets what a thread has counted, which has ended. */
export function clearTally(parts: TallyParts, own: number): void {
  const { all, byName } = sharedTally(parts, own);
  all.set(0);
  byName.clear();
}
