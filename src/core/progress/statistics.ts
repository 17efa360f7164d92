import { holesOf } from './holes.ts';
import type { LoadedCounts } from './ledger.ts';
import { sumSlices, type Measured } from './slice-sum.ts';
import { refused, type ImportedStatistics, type Refused, type SinkProgress } from './sink-progress.ts';

/** Rows and dead letters that the document has counted as imported, since the incarnation began. */
export function importedCounts({ totals }: SinkProgress): LoadedCounts {
  let [rows, dead] = [0, 0];
  for (const one of Object.values(totals)) {
    rows += one.rows;
    dead += one.dead;
  }
  return { rows, dead };
}

/** What was imported since the statistics were last cleared. A document of an earlier version of the product knows no bytes of it. */
export function importedStatistics(progress: SinkProgress): ImportedStatistics {
  if (progress.imported !== undefined) return progress.imported;
  const counts = importedCounts(progress);
  return { ...counts, bytes: 0, unsized: counts.rows, fromImport: 1 };
}

/** The statistics after an import of these slices; a replay has as many dead letters below 0 as it took. */
export function withImported(before: ImportedStatistics, slices: readonly Measured[]): ImportedStatistics {
  const sum = sumSlices(slices);
  const first = least(before.firstArrival, sum.firstArrival);
  const last = most(before.lastArrival, sum.lastArrival);
  const { storedBytes = before.bytes, ...kept } = before;
  const bytes = before.bytes + sum.rowBytes;
  const stored = storedBytes + (sum.storedRowBytes ?? sum.rowBytes);
  return {
    ...kept,
    rows: before.rows + sum.rows,
    // A replay may take letters that were counted before the statistics were cleared.
    dead: Math.max(0, before.dead + sum.dead),
    bytes,
    ...(stored === bytes ? {} : { storedBytes: stored }),
    ...(first === undefined ? {} : { firstArrival: first }),
    ...(last === undefined ? {} : { lastArrival: last }),
  };
}

/**
 * Counts imported rows anew from here on, and acknowledges the holes that were counted: they ring no more. Totals, and so
 * conservation, stay as they are. What a running import loads is counted, but that import began before.
 */
export function clearStatistics(progress: SinkProgress): SinkProgress | Refused {
  const { imported, importing, replaying } = progress;
  const fromImport = progress.nextImport + (importing === undefined && replaying === undefined ? 0 : 1);
  const { counted, ringing } = holesOf(progress);
  const isClear = imported !== undefined && imported.rows + imported.dead === 0 && imported.fromImport === fromImport;
  if (isClear && ringing === 0) return refused('there is nothing to clear');
  return {
    ...progress,
    imported: { ...withoutCounts(importedStatistics(progress)), fromImport },
    ...(counted === 0 ? {} : { acknowledgedHoles: counted }),
  };
}

/** Statistics in which nothing is counted. */
export function withoutCounts(counted: ImportedStatistics): ImportedStatistics {
  const { firstArrival: _, lastArrival: __, storedBytes: ___, ...kept } = counted;
  return { ...kept, rows: 0, dead: 0, bytes: 0, unsized: 0 };
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function most(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
