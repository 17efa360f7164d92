import { limits } from '../limits.ts';
import { failureKind } from './failure-kind.ts';
import { openingOf, withOpening } from './openings.ts';
import {
  noTotals,
  outdated,
  refused,
  type ImportAttempt,
  type PartitionTotals,
  type Refused,
  type SinkProgress,
  type StagedSlice,
} from './sink-progress.ts';
import { sumSlices } from './slice-sum.ts';
import { importedStatistics, withImported } from './statistics.ts';

/**
 * The slices that the next import would take: those of the first mapping version, in order, as far as one import goes. Slices of an import
 * that was given up go in smaller ones, not together with others.
 */
export function importable(progress: SinkProgress): readonly StagedSlice[] {
  const { mappingVersion, together } = progress.staged[0] ?? {};
  const other = progress.staged.findIndex(
    (slice) => slice.mappingVersion !== mappingVersion || slice.together !== together,
  );
  const end = other === -1 ? progress.staged.length : other;
  return progress.staged.slice(0, Math.min(end, together ?? limits.slicesPerImport, limits.slicesPerImport));
}

/**
 * Moves the first slices of one mapping version to `importing`. Refused while an import or a replay runs, or nothing waits. Whoever
 * starts it has seen that token and table are there, which ends failures of that kind; a failure of a slice's content
 * ends when the slice is loaded. Its file is closed by that, and another one opened, unless slices of it stay behind.
 */
export function startImport(
  progress: SinkProgress,
  { id, at }: { readonly id: string; readonly at: number },
): SinkProgress | Refused {
  if (progress.importing !== undefined) return refused('an import runs');
  if (progress.replaying !== undefined) return refused('a replay runs');
  const slices = importable(progress);
  if (slices.length === 0) return refused('nothing is staged');
  const mappingVersion = slices[0]?.mappingVersion ?? 0;
  const openedAt = openingOf(progress, mappingVersion);
  const opened = openedAt === undefined ? {} : { openedAt };
  const staged = progress.staged.slice(slices.length);
  const isWhole = staged.every((slice) => slice.mappingVersion !== mappingVersion);
  return {
    ...progress,
    importing: { number: progress.nextImport, id, slices: slices.map(withoutHealed), startedAt: at, ...opened },
    staged,
    // A clock that is behind opens no file before the one that it closes.
    ...withOpening(progress, { mappingVersion, at: isWhole ? Math.max(at, openedAt ?? at) : openedAt }),
  };
}

function withoutHealed(slice: StagedSlice): StagedSlice {
  const { failing, ...rest } = slice;
  return failing === undefined || failureKind(failing.code) === 'damage' ? slice : rest;
}

/** The ledger says `loaded`: forgets the slices and counts them. Refused for another attempt. */
export function finishImport(progress: SinkProgress, attempt: ImportAttempt, at: number): SinkProgress | Refused {
  const { importing, ...rest } = progress;
  if (importing === undefined || !isAttempt(importing, attempt)) return outdated('another import, or none, runs');
  const { number, startedAt, openedAt, slices } = importing;
  const totals: Record<string, PartitionTotals> = { ...progress.totals };
  for (const slice of slices) {
    const before = totals[slice.partition] ?? noTotals;
    totals[slice.partition] = { ...before, rows: before.rows + slice.rows, dead: before.dead + slice.dead };
  }
  const { slices: _, ...sum } = sumSlices(slices);
  const imported = withImported(importedStatistics(progress), slices);
  const opened = openedAt === undefined ? {} : { openedAt };
  const lastImport = { number, at, startedAt, ...opened, ...sum };
  return { ...rest, totals, nextImport: number + 1, lastImport, imported };
}

/**
 * The ledger says `abandoned`: the slices go back to the front of `staged`, and the next number is one higher. The
 * document says that they are tried by halves, whatever the reason was, so that a process that goes on after a crash
 * also comes down to single slices. Their file is open again. Refused for another attempt.
 */
export function abandonImport(progress: SinkProgress, attempt: ImportAttempt): SinkProgress | Refused {
  const { importing, ...rest } = progress;
  if (importing === undefined || !isAttempt(importing, attempt)) return outdated('another import, or none, runs');
  const together = Math.ceil(importing.slices.length / 2);
  const back = importing.slices.map((slice) => ({ ...slice, together }));
  const opened = withOpening(progress, { mappingVersion: back[0]?.mappingVersion ?? 0, at: importing.openedAt });
  return { ...rest, staged: [...back, ...progress.staged], nextImport: importing.number + 1, ...opened };
}

/** Tells the attempt that runs from another one, which somebody else may still follow. */
export function isAttempt(running: ImportAttempt, { number, id }: ImportAttempt): boolean {
  return running.number === number && running.id === id;
}
