import type { PlacedCells } from '../core/column-change.ts';
import type { Incarnation } from '../core/ids.ts';
import type { LedgerPosition, LoadedCounts } from '../core/progress/ledger.ts';
import type { TableId } from '../core/table-id.ts';
import type { CsvContent } from './csv-content.ts';
import type { Waiting } from './waiting.ts';

export interface ImportRequest {
  readonly incarnation: Incarnation;
  readonly number: number;
  /** Id of this attempt; written to the ledger. */
  readonly id: string;
  readonly tableId: TableId;
  /** Of each line of `rows`. */
  readonly columns: readonly string[];
  /** Given when the table has other columns than the lines by now; absent: it must have the same ones. */
  readonly placed?: PlacedCells;
  readonly rows: readonly CsvContent[];
  /** Lines of the dead letter table. */
  readonly dead: readonly CsvContent[];
  /** Dead letters that go in the same transaction; absent: none. */
  readonly replaced?: ReplacedLetters;
  /** How many lines `rows` and `dead` must have; another count is `table.invalidContent` and loads nothing. */
  readonly expected: LoadedCounts;
  /** What the document has counted of the imports before: a ledger row that does not count yet begins with it. */
  readonly before: LoadedCounts;
}

/** Dead letters that make way for the rows of an import. */
export interface ReplacedLetters {
  /** Lines of `letterKeyColumns`: which letters of the incarnation these are. */
  readonly letters: readonly CsvContent[];
  /** How many lines there are. */
  readonly expected: number;
}

export type LedgerRow = LedgerPosition;

/**
 * What keeps rows and ledger together when an import is cut short.
 *
 * - `sameTransaction`: rows, dead letters and ledger row become visible and durable in one transaction, or nothing of them does. An import
 *   that lost to another one, or to `abandon`, leaves nothing.
 * - `idempotentById`: no transaction holds rows and ledger; the rows of an import are known by (incarnation, number, id). Such a store
 *   promises in its place:
 *   1. It reads all content once, and finds it as expected, before it sends the first row: nothing is sent of what is refused.
 *   2. Whatever it is sent under one (incarnation, number, id), how often, by how many at once and however late, is in the tables once. A
 *      memory of ids that ends, by age or by count, is not enough.
 *   3. The ledger row moves by compare-and-set, after all rows and dead letters are durable. Until then readers may see part of them.
 *
 *   It cannot promise that nothing is loaded while the ledger says nothing: after a failure part of the rows may be there, and more may
 *   come. So whoever imports never gives up an import that it has begun: `abandon` would put its slices into the next import, beside the
 *   rows that came. It repeats the same import until the ledger says `loaded`, and content that the store refuses stops the sink, because
 *   its slices cannot be tried one by one. No importer does so yet: such a store is refused when it is opened.
 */
export type Atomicity = 'sameTransaction' | 'idempotentById';

/**
 * The imports of each incarnation and where they stand: the ledger makes each import happen once. `table.unavailable` after a write means:
 * look into the ledger.
 */
export interface ImportLedger {
  /** The methods below are described for `sameTransaction`. */
  readonly atomicity: Atomicity;
  /** Makes the ledger row of an incarnation at number 0, `loaded`, with counts of 0; does nothing when there is one. */
  createLedger(incarnation: Incarnation, options: Waiting): Promise<void>;
  readLedger(incarnation: Incarnation, options: Waiting): Promise<LedgerRow | undefined>;
  /** The rows of these incarnations that are there, in one query, whatever their number. */
  readLedgers(incarnations: readonly Incarnation[], options: Waiting): Promise<ReadonlyMap<Incarnation, LedgerRow>>;
  deleteLedger(incarnation: Incarnation, options: Waiting): Promise<void>;
  /**
   * In one transaction: moves the ledger row from `number - 1` to (`number`, `id`, `loaded`), adds what was loaded to its counts, and loads
   * all content.
   *
   * With `replaced` it deletes these dead letters of the incarnation and takes them from the counts. Unless it finds as many as there are
   * lines, each once, it is `table.lettersGone`: somebody has deleted some since they were read.
   *
   * A row at (`number`, same id) already: loads nothing and returns that row's verdict. Any other row, or none:
   * `table.ledgerMismatch`. `table.notFound`, `table.schemaMismatch`, `table.invalidContent`, `table.lettersGone`, `objects.corrupt`:
   * nothing was loaded and nothing deleted.
   *
   * Content with a checksum is compared with it before the commit, by the bytes that are loaded. Content that differs, or is
   * refused, is read once more: a read that went wrong loads the second time, and content that stays different is
   * `objects.corrupt`, which names it.
   */
  import(request: ImportRequest, options: Waiting): Promise<LedgerRow['verdict']>;
  /**
   * Moves the ledger row from `number - 1` to (`number`, `id`, `abandoned`), loads nothing and counts nothing. A row at (`number`, same
   * id) already: returns its verdict. Else `table.ledgerMismatch`.
   */
  abandon(
    incarnation: Incarnation,
    attempt: { readonly number: number; readonly id: string },
    options: Waiting,
  ): Promise<LedgerRow['verdict']>;
}
