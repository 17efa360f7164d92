import { isDeepStrictEqual } from 'node:util';
import { MillraceError } from '../core/millrace-error.ts';
import type { LedgerContents } from '../ports/ledger-transfer.ts';

/** Of the rows that are wanted those that are not there yet; `table.ledgerMismatch` for one that is there and says something else. */
export function requireSame(present: LedgerContents, wanted: LedgerContents): LedgerContents {
  const imports = new Map(present.imports.map((row) => [row.incarnation, row]));
  const loads = new Map(present.loads.map((row) => [row.id, row]));
  return {
    imports: wanted.imports.filter((row) =>
      isMissing(row, { found: imports.get(row.incarnation), of: `incarnation ${row.incarnation}` }),
    ),
    loads: wanted.loads.filter((row) => isMissing(row, { found: loads.get(row.id), of: `the load "${row.id}"` })),
  };
}

function isMissing<Row>(row: Row, { found, of }: { readonly found: Row | undefined; readonly of: string }): boolean {
  if (found === undefined) return true;
  if (isDeepStrictEqual(found, row)) return false;
  throw new MillraceError('table.ledgerMismatch', `the ledger row of ${of} says something else already`);
}
