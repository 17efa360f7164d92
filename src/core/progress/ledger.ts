import type { Incarnation } from '../ids.ts';
import { MillraceError } from '../millrace-error.ts';
import type { ImportAttempt } from './sink-progress.ts';

/** Rows and dead letters that went into tables. */
export interface LoadedCounts {
  readonly rows: number;
  readonly dead: number;
}

/** Where the ledger of an incarnation stands in the table store. */
export interface LedgerPosition extends ImportAttempt {
  readonly verdict: 'loaded' | 'abandoned';
  /**
   * What the imports up to this number loaded, counted by the table store in their own transactions: a witness that is not the document.
   * A row of an earlier version of the product begins with what the document had counted. Absent until it has begun.
   */
  readonly loaded?: LoadedCounts;
}

export type LedgerMove =
  /** The row goes to the attempt's number and id, in the transaction that loads (or gives up). */
  | { readonly kind: 'move' }
  /** This very attempt has been decided: nothing is loaded. */
  | { readonly kind: 'decided'; readonly verdict: LedgerPosition['verdict'] }
  /** `table.ledgerMismatch`: no row, another attempt under this number, or a number that does not follow. */
  | { readonly kind: 'mismatch' };

/** Rule 4 of the protocol: what an import or its abandonment may do, given the row that its transaction has locked. */
export function judgeLedger(row: LedgerPosition | undefined, attempt: ImportAttempt): LedgerMove {
  if (row?.number === attempt.number && row.id === attempt.id) return { kind: 'decided', verdict: row.verdict };
  return row?.number === attempt.number - 1 ? { kind: 'move' } : { kind: 'mismatch' };
}

/** The verdict of an attempt that has been decided, undefined when the row may move to it. Anything else is `table.ledgerMismatch`. */
export function decidedVerdict(
  incarnation: Incarnation,
  row: LedgerPosition | undefined,
  attempt: ImportAttempt,
): LedgerPosition['verdict'] | undefined {
  const move = judgeLedger(row, attempt);
  if (move.kind !== 'mismatch') return move.kind === 'decided' ? move.verdict : undefined;
  const { number, id } = attempt;
  const found = row === undefined ? 'has no row' : `stands at import ${row.number} "${row.id}" (${row.verdict})`;
  throw new MillraceError(
    'table.ledgerMismatch',
    `the ledger of incarnation ${incarnation} ${found}, expected import ${number - 1}, or ${number} "${id}"`,
    { details: { incarnation, number } },
  );
}
