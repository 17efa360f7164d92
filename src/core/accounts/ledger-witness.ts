import type { LedgerPosition, LoadedCounts } from '../progress/ledger.ts';
import type { SinkProgress } from '../progress/sink-progress.ts';
import { sumSlices } from '../progress/slice-sum.ts';
import { importedCounts } from '../progress/statistics.ts';

export type LedgerComparison =
  /** What the document counts as imported, minus what the table store loaded; 0 unless something is broken. */
  | { readonly kind: 'compared'; readonly difference: LoadedCounts }
  /** The ledger has gone on since the document was read: read both again. */
  | { readonly kind: 'moved' }
  /** The row is not there, does not count yet, or is that of another attempt or of a restored store, which stops the next import. */
  | { readonly kind: 'unknown' };

/** Compares a document with a ledger row that was read after it, at the same import. */
export function compareWithLedger(progress: SinkProgress, row: LedgerPosition | undefined): LedgerComparison {
  const { importing, nextImport } = progress;
  const imported = importedCounts(progress);
  if (row?.loaded === undefined) return { kind: 'unknown' };
  if (row.number === nextImport - 1) return { kind: 'compared', difference: minus(imported, row.loaded) };
  if (importing === undefined || row.number !== importing.number)
    return { kind: row.number < nextImport ? 'unknown' : 'moved' };
  if (row.id !== importing.id) return { kind: 'unknown' };
  const running = row.verdict === 'loaded' ? sumSlices(importing.slices) : { rows: 0, dead: 0 };
  const claimed = { rows: imported.rows + running.rows, dead: imported.dead + running.dead };
  return { kind: 'compared', difference: minus(claimed, row.loaded) };
}

function minus(a: LoadedCounts, b: LoadedCounts): LoadedCounts {
  return { rows: a.rows - b.rows, dead: a.dead - b.dead };
}
