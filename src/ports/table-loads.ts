import type { TableId } from '../core/table-id.ts';
import type { CsvContent } from './csv-content.ts';
import type { Waiting } from './waiting.ts';

/** What one table gets of a load. */
export interface TableLoad {
  readonly tableId: TableId;
  /** Of each line of `rows`, in order; the table gets those that it lacks, at its end. */
  readonly columns: readonly string[];
  /** Names out of `columns`; empty: none. Rows with the same cells in them replace each other, the last one stays. */
  readonly primaryKey: readonly string[];
  /** False: the rows that were there go. */
  readonly isIncremental: boolean;
  readonly rows: readonly CsvContent[];
  /** How many lines `rows` must have; another count is `table.invalidContent` and loads nothing. */
  readonly expectedRows: number;
}

export interface LoadRequest {
  readonly tables: readonly TableLoad[];
  readonly note: string;
}

export type LoadVerdict = 'open' | 'loaded' | 'abandoned';

/** The ledger row of a load. */
export interface LoadRow {
  readonly verdict: LoadVerdict;
  /** What was given with the load that was loaded; empty otherwise. */
  readonly note: string;
}

/**
 * Loads of several tables at once, each of which happens once or not at all: the tables of a job, the file of a request. The
 * ledger row of a load makes it so: it moves once from `open`, in the transaction that loads. Who gives a load up moves it to
 * `abandoned`, after which nobody can load it any more, however late. `table.unavailable` after a write means: look into the ledger.
 */
export interface TableLoads {
  /** Makes the ledger row, `open`; does nothing when there is one. */
  openLoad(id: string, options: Waiting): Promise<void>;
  /** Undefined when there is none. */
  readLoad(id: string, options: Waiting): Promise<LoadRow | undefined>;
  /**
   * In one transaction: moves the row from `open` to `loaded` with the note, makes buckets, tables and columns that are missing,
   * and loads all tables. A row that has moved already: loads nothing and returns it. No row: `table.ledgerMismatch`.
   * `table.invalidContent`, `table.schemaMismatch` (a primary key that the table cannot have), `table.inUse`: nothing was loaded.
   * Tables of the stage `sys` are the product's own and cannot be loaded.
   */
  load(id: string, load: LoadRequest, options: Waiting): Promise<LoadRow>;
  /** Moves the row from `open` to `abandoned`; makes it so when there is none. One that has moved already is returned as it is. */
  abandonLoad(id: string, options: Waiting): Promise<LoadRow>;
  /** Removes the row; does nothing when there is none. A load under this id cannot happen any more. */
  forgetLoad(id: string, options: Waiting): Promise<void>;
}
