import type { Claimable } from './claimable.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { ImportLedger } from './import-ledger.ts';
import type { LedgerTransfer } from './ledger-transfer.ts';
import type { TableLoads } from './table-loads.ts';
import type { TablePages } from './table-pages.ts';
import type { Tables } from './tables.ts';

/** What an adapter opens: all that one store of tables does, and its mark. Whoever uses it takes the parts that it needs. */
export interface TableStore
  extends Claimable, Tables, ImportLedger, LedgerTransfer, DeadLetters, TableLoads, TablePages, AsyncDisposable {}
