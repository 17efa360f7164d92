import type { Readable } from 'node:stream';
import type { Checksum } from '../core/checksum.ts';
import type { Incarnation } from '../core/ids.ts';
import type { LedgerPosition, LoadedCounts } from '../core/progress/ledger.ts';
import type { TableId } from '../core/table-id.ts';
import type { Claimable } from './claimable.ts';
import type { Waiting } from './waiting.ts';

export interface TableDescription {
  readonly tableId: TableId;
  /** Another one than that of any other table that had this id before, or gets it later. */
  readonly identity: string;
  /** In order. Every cell is text and never NULL. */
  readonly columns: readonly string[];
  /** Exact when the store knows it cheaply. */
  readonly rows: number;
  readonly bytes?: number;
}

/** A CSV object of staging: no header, every cell quoted, `"` doubled, `,` and `\n`; UTF-8. */
export interface CsvContent {
  readonly name: string;
  readonly bytes: number;
  /** Of the bytes as they were staged; absent for an object of an earlier version of the product, which is loaded as it is. */
  readonly checksum?: Checksum;
  /** A path on this machine, when there is one; else `open` is read. */
  readonly localPath: string | undefined;
  open(options: Waiting): Promise<Readable>;
}

export interface ImportRequest {
  readonly incarnation: Incarnation;
  readonly number: number;
  /** Id of this attempt; written to the ledger. */
  readonly id: string;
  readonly tableId: TableId;
  readonly columns: readonly string[];
  readonly rows: readonly CsvContent[];
  /** Lines of the dead letter table. */
  readonly dead: readonly CsvContent[];
  /** How many lines `rows` and `dead` must have; another count is `table.invalidContent` and loads nothing. */
  readonly expected: LoadedCounts;
  /** What the document has counted of the imports before: a ledger row that does not count yet begins with it. */
  readonly before: LoadedCounts;
}

export type LedgerRow = LedgerPosition;

export type ExportFormat = 'csv' | 'ndjson' | 'parquet';

export interface DropTable extends Waiting {
  /** As a description told it: a drop that arrives late spares a table that was made since. */
  readonly identity?: string;
}

/**
 * Tables of text columns, and the ledger of imports that makes each import happen once. An import and its ledger row
 * are one transaction. `table.unavailable` after a write means: look into the ledger.
 */
export interface TableStore extends Claimable, AsyncDisposable {
  /** Makes the table and what it needs around it; `table.exists` when it is there. */
  createTable(tableId: TableId, columns: readonly string[], options: Waiting): Promise<void>;
  describeTable(tableId: TableId, options: Waiting): Promise<TableDescription | undefined>;
  /** Sorted by id; the dead letter table is among them once it exists. */
  listTables(options: Waiting): Promise<readonly TableDescription[]>;
  /** Does nothing when there is none, or, where an identity is given, another one than that. */
  dropTable(tableId: TableId, options: DropTable): Promise<void>;
  /**
   * Removes what was made around tables of this bucket when nothing is left in it; does nothing otherwise, and nothing where it could not
   * be made again.
   */
  dropBucket(tableId: TableId, options: Waiting): Promise<void>;

  /** Makes the ledger row of an incarnation at number 0, `loaded`, with counts of 0; does nothing when there is one. */
  createLedger(incarnation: Incarnation, options: Waiting): Promise<void>;
  readLedger(incarnation: Incarnation, options: Waiting): Promise<LedgerRow | undefined>;
  /** The rows of these incarnations that are there, in one query, whatever their number. */
  readLedgers(incarnations: readonly Incarnation[], options: Waiting): Promise<ReadonlyMap<Incarnation, LedgerRow>>;
  deleteLedger(incarnation: Incarnation, options: Waiting): Promise<void>;
  /**
   * In one transaction: moves the ledger row from `number - 1` to (`number`, `id`, `loaded`), adds what was loaded to its counts, and loads
   * all content.
   * A row at (`number`, same id) already: loads nothing and returns that row's verdict. Any other row, or none:
   * `table.ledgerMismatch`. `table.notFound`, `table.schemaMismatch`, `table.invalidContent`, `objects.corrupt`: nothing was loaded.
   *
   * Content with a checksum is compared with it before the commit, by the bytes that are loaded. Content that differs, or is
   * refused, is read once more: a read that went wrong loads the second time, and content that stays different is
   * `objects.corrupt`, which names it.
   */
  import(request: ImportRequest, options: Waiting): Promise<'loaded' | 'abandoned'>;
  /**
   * Moves the ledger row from `number - 1` to (`number`, `id`, `abandoned`), loads nothing and counts nothing. A row at (`number`, same
   * id) already: returns its verdict. Else `table.ledgerMismatch`.
   */
  abandon(
    incarnation: Incarnation,
    attempt: { readonly number: number; readonly id: string },
    options: Waiting,
  ): Promise<'loaded' | 'abandoned'>;

  /**
   * The first rows in the order of loading, as far as the store keeps it; cells whole. At most `limit` rows, and no more of them than
   * have `maxBytes` of text together; never part of a row. `table.notFound`.
   */
  preview(tableId: TableId, query: PreviewQuery, options: Waiting): Promise<TablePreview>;
  /**
   * The whole table as a stream: `csv` with a header line, all cells quoted, `\n`; `ndjson` one object a row, every
   * value the text of the cell; `parquet` a file. `table.notFound`.
   */
  exportTable(tableId: TableId, format: ExportFormat, options: Waiting): Promise<Readable>;
}

export interface PreviewQuery {
  /** In this order; all when absent. */
  readonly columns?: readonly string[];
  readonly limit: number;
  /** Bytes of UTF-8 of all cells together; absent: no bound. */
  readonly maxBytes?: number;
}

export interface TablePreview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Present when it ends because of `maxBytes`: there is at least one row more, within the limit. */
  readonly isCut?: true;
}
