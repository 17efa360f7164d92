import type { LedgerPosition, LoadedCounts } from '../progress/ledger.ts';
import { replayedCounts } from '../progress/replay.ts';
import type { ImportAttempt, SinkProgress } from '../progress/sink-progress.ts';
import { sumSlices } from '../progress/slice-sum.ts';
import { importedCounts } from '../progress/statistics.ts';

/** What the table store says beside a document that counts imports. */
export type Witness =
  /** What the document counts as imported and the table store did not load; 0 unless something is broken. */
  | { readonly kind: 'compared'; readonly difference: LoadedCounts }
  /** It has none: an earlier release made the imports. */
  | { readonly kind: 'uncounted' }
  /** The table store does not answer. */
  | { readonly kind: 'away' }
  /** It has no ledger of these imports, or one of another moment: another store, or a copy that was brought back. */
  | { readonly kind: 'unfit' };

/** Whether what the document counts may be called in the table, as far as the table store was ever asked to count. */
export function isWitnessed({ witness: { kind } }: { readonly witness: Witness }): boolean {
  return kind === 'compared' || kind === 'uncounted';
}

/** What the table store does not have that the document counts; undefined when that is not known. */
export function ledgerDifference(witness: Witness): LoadedCounts | undefined {
  return witness.kind === 'compared' ? witness.difference : undefined;
}

/** What a row that was read after the document witnesses; undefined when it has gone on since: read both again. */
export function witnessOf(progress: SinkProgress, row: LedgerPosition | undefined): Witness | undefined {
  // A row of an earlier release that no import has moved since.
  if (row !== undefined && row.loaded === undefined) return { kind: 'uncounted' };
  const compared = compareWithLedger(progress, row);
  if (compared.kind === 'moved') return undefined;
  return compared.kind === 'compared' ? compared : { kind: 'unfit' };
}

export type LedgerComparison =
  /** What the document counts as imported, minus what the table store loaded; 0 unless something is broken. */
  | { readonly kind: 'compared'; readonly difference: LoadedCounts }
  /** The ledger has gone on since the document was read: read both again. */
  | { readonly kind: 'moved' }
  /** The row is not there, does not count yet, or is that of another attempt or of a restored store, which stops the next import. */
  | { readonly kind: 'unknown' };

/** Compares a document with a ledger row that was read after it, at the same import. */
export function compareWithLedger(progress: SinkProgress, row: LedgerPosition | undefined): LedgerComparison {
  const { nextImport } = progress;
  const running = runningOf(progress);
  const imported = importedCounts(progress);
  if (row?.loaded === undefined) return { kind: 'unknown' };
  if (row.number === nextImport - 1) return { kind: 'compared', difference: minus(imported, row.loaded) };
  if (running === undefined || row.number !== running.number)
    return { kind: row.number < nextImport ? 'unknown' : 'moved' };
  if (row.id !== running.id) return { kind: 'unknown' };
  const loads = row.verdict === 'loaded' ? running.loads : { rows: 0, dead: 0 };
  const claimed = { rows: imported.rows + loads.rows, dead: imported.dead + loads.dead };
  return { kind: 'compared', difference: minus(claimed, row.loaded) };
}

/** What the ledger may have that the document does not count yet. */
function runningOf({ importing, replaying }: SinkProgress): (ImportAttempt & { loads: LoadedCounts }) | undefined {
  if (importing !== undefined) return { ...importing, loads: sumSlices(importing.slices) };
  return replaying && { ...replaying, loads: replayedCounts(replaying) };
}

function minus(a: LoadedCounts, b: LoadedCounts): LoadedCounts {
  return { rows: a.rows - b.rows, dead: a.dead - b.dead };
}
