import type { TableId } from '../core/table-id.ts';
import type { CsvContent } from './csv-content.ts';
import type { Waiting } from './waiting.ts';

/** What one table gets of a load. */
export interface TableLoad {
  readonly tableId: TableId;
  /** Of each line of `rows`, in order; the table gets those that it lacks, at its end, empty in the rows that it has. */
  readonly columns: readonly string[];
  /**
   * Names out of `columns`; empty: the table keeps the key that it has. Rows with the same cells in them replace each other,
   * whether they are loaded together or were there: the last one stays, in its place in the order of loading. What imports add
   * is not compared with the rows that are there.
   */
  readonly primaryKey: readonly string[];
  /** False: the rows that were there before this load go. The identity of the table may be another one afterwards. */
  readonly isIncremental: boolean;
  /** No line is longer than `limits.rowBytes`. */
  readonly rows: readonly CsvContent[];
  /** How many lines `rows` must have; another count is `table.invalidContent` and loads nothing. */
  readonly expectedRows: number;
}

export interface LoadRequest {
  /**
   * In the order of loading. A table that stands several times gets all of it: the union of the columns, the one key that is given, and
   * rows that were there before go when one of them is not incremental.
   */
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
   * Content is compared with its checksum as that of an import, and read once more when it differs or is refused.
   *
   * Another primary key than that of a table takes its place when the rows that stay, if any, are unique by it; else it is
   * `table.schemaMismatch`. So are lines that lack a column of the key, and a table whose columns somebody has made other than text.
   *
   * `input.invalid` for names that no table can have, and for the stage `sys`, whose tables are the product's own; `table.exists` for a
   * table that stands there in other letter case; `table.inUse` when something of the database depends on what goes; these,
   * `table.schemaMismatch`, `table.invalidContent`, `objects.corrupt` and `objects.notFound`: nothing was loaded.
   */
  load(id: string, load: LoadRequest, options: Waiting): Promise<LoadRow>;
  /** Moves the row from `open` to `abandoned`; makes it so when there is none. One that has moved already is returned as it is. */
  abandonLoad(id: string, options: Waiting): Promise<LoadRow>;
  /** Removes the row; does nothing when there is none. A load under this id cannot happen any more. */
  forgetLoad(id: string, options: Waiting): Promise<void>;
}
