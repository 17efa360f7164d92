import { limits } from '../limits.ts';
import {
  noTotals,
  outdated,
  refused,
  totalsOf,
  type ImportAttempt,
  type PartitionTotals,
  type Refused,
  type SinkProgress,
  type StagedSlice,
} from './sink-progress.ts';
import { sumSlices } from './slice-sum.ts';
import { importedStatistics, withImported } from './statistics.ts';

/** The slices that the next import would take: those of the first mapping version, in order, as far as one import goes. */
export function importable(progress: SinkProgress): readonly StagedSlice[] {
  const version = progress.staged[0]?.mappingVersion;
  const other = progress.staged.findIndex((slice) => slice.mappingVersion !== version);
  const end = other === -1 ? progress.staged.length : other;
  return progress.staged.slice(0, Math.min(end, limits.slicesPerImport));
}

/** Moves the first slices of one mapping version to `importing`. Refused while an import runs or nothing waits. */
export function startImport(
  progress: SinkProgress,
  { id, at }: { readonly id: string; readonly at: number },
): SinkProgress | Refused {
  if (progress.importing !== undefined) return refused('an import runs');
  const slices = importable(progress);
  if (slices.length === 0) return refused('nothing is staged');
  return {
    ...progress,
    importing: { number: progress.nextImport, id, slices, startedAt: at },
    staged: progress.staged.slice(slices.length),
  };
}

/** The ledger says `loaded`: forgets the slices and counts them. Refused for another attempt. */
export function finishImport(progress: SinkProgress, attempt: ImportAttempt, at: number): SinkProgress | Refused {
  const { importing, ...rest } = progress;
  if (importing === undefined || !isAttempt(importing, attempt)) return outdated('another import, or none, runs');
  const { number, startedAt, slices } = importing;
  const totals: Record<string, PartitionTotals> = { ...progress.totals };
  for (const slice of slices) {
    const before = totals[slice.partition] ?? noTotals;
    totals[slice.partition] = { ...before, rows: before.rows + slice.rows, dead: before.dead + slice.dead };
  }
  const { slices: _, ...sum } = sumSlices(slices);
  const imported = withImported(importedStatistics(progress), slices);
  return { ...rest, totals, nextImport: number + 1, lastImport: { number, at, startedAt, ...sum }, imported };
}

/**
 * The ledger says `abandoned`: the slices go back to the front of `staged`, and the next number is one higher. Refused
 * for another attempt.
 */
export function abandonImport(progress: SinkProgress, attempt: ImportAttempt): SinkProgress | Refused {
  const { importing, ...rest } = progress;
  if (importing === undefined || !isAttempt(importing, attempt)) return outdated('another import, or none, runs');
  return { ...rest, staged: [...importing.slices, ...progress.staged], nextImport: importing.number + 1 };
}

function isAttempt(running: ImportAttempt, { number, id }: ImportAttempt): boolean {
  return running.number === number && running.id === id;
}

/** Sets all staged slices of a mapping version aside, because it does not fit the table; later versions go on. */
export function park(
  progress: SinkProgress,
  { mappingVersion, at }: { readonly mappingVersion: number; readonly at: number },
): SinkProgress | Refused {
  const moved = progress.staged.filter((slice) => slice.mappingVersion === mappingVersion);
  if (moved.length === 0) return refused('no staged slice has this mapping version');
  return {
    ...progress,
    parked: [...progress.parked, ...moved.map((slice) => ({ ...slice, parkedAt: at }))],
    staged: progress.staged.filter((slice) => slice.mappingVersion !== mappingVersion),
  };
}

/** Brings parked slices of a mapping version back to the front of `staged`, in their order. */
export function unpark(progress: SinkProgress, mappingVersion: number): SinkProgress | Refused {
  const back = progress.parked.filter((slice) => slice.mappingVersion === mappingVersion);
  if (back.length === 0) return refused('no parked slice has this mapping version');
  return {
    ...progress,
    staged: [...back.map(({ parkedAt: _, ...slice }) => slice), ...progress.staged],
    parked: progress.parked.filter((slice) => slice.mappingVersion !== mappingVersion),
  };
}

/** Drops a staged or parked slice for good and counts its events as given up. Never one of a running import. */
export function giveUp(progress: SinkProgress, sliceId: string): SinkProgress | Refused {
  const slice = [...progress.staged, ...progress.parked].find((one) => one.id === sliceId);
  if (slice === undefined) return refused('the slice is not staged');
  const totals = totalsOf(progress, slice.partition);
  return {
    ...progress,
    staged: progress.staged.filter((one) => one.id !== sliceId),
    parked: progress.parked.filter((one) => one.id !== sliceId),
    totals: { ...progress.totals, [slice.partition]: { ...totals, givenUp: totals.givenUp + slice.rows + slice.dead } },
  };
}
