import type { Incarnation } from '../core/ids.ts';
import type { LedgerRow } from './import-ledger.ts';
import type { LoadRow } from './table-loads.ts';
import type { Waiting } from './waiting.ts';

/** Everything that a ledger says, of imports and of loads. */
export interface LedgerContents {
  readonly imports: readonly (LedgerRow & { readonly incarnation: Incarnation })[];
  readonly loads: readonly (LoadRow & { readonly id: string })[];
}

/** Carries a ledger from one store to another, to which the rows that it speaks of have been copied. */
export interface LedgerTransfer {
  /** By incarnation, and by id. */
  readLedgerContents(options: Waiting): Promise<LedgerContents>;
  /**
   * Makes these rows as they stood in the other store, all or none. Does nothing for one that is there and says the same;
   * `table.ledgerMismatch` for one that says something else.
   */
  adoptLedger(contents: LedgerContents, options: Waiting): Promise<void>;
}
