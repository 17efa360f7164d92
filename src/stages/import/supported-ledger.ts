import { MillraceError } from '../../core/millrace-error.ts';
import type { ImportLedger } from '../../ports/import-ledger.ts';

/**
 * `cluster.unfit` for a store whose imports this stage cannot make: it abandons imports, which is safe only in
 * transactions.
 */
export function checkSupported({ atomicity }: Pick<ImportLedger, 'atomicity'>): void {
  if (atomicity === 'sameTransaction') return;
  throw new MillraceError(
    'cluster.unfit',
    'this version imports into stores whose rows and ledger share a transaction; this one knows imports by their ids only',
  );
}
