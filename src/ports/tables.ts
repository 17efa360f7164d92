import type { ColumnChange } from '../core/column-change.ts';
import type { TableId } from '../core/table-id.ts';
import type { CellCondition } from './table-pages.ts';
import type { Waiting } from './waiting.ts';

export interface TableDescription {
  readonly tableId: TableId;
  /** Another one than that of any other table that had this id before, or gets it later. */
  readonly identity: string;
  /** In order. Every cell is text and never NULL. */
  readonly columns: readonly string[];
  /** Columns by which loads replace rows, in order; empty: none, also when somebody has taken one of them away. */
  readonly primaryKey: readonly string[];
  /** Exact when the store knows it cheaply. */
  readonly rows: number;
  readonly bytes?: number;
}

export interface MakeTable extends Waiting {
  /** Names out of the columns, each once; absent: none. */
  readonly primaryKey?: readonly string[];
}

export interface DropTable extends Waiting {
  /** As a description told it: a drop that arrives late spares a table that was made since. */
  readonly identity?: string;
}

export interface LettersToDelete {
  /** At least one. */
  readonly where: readonly CellCondition[];
  readonly limit: number;
}

/**
 * Tables of text columns: makes, describes, changes and drops them. If somebody changes a table by hand, that is not prevented:
 * the next import into it finds it.
 */
export interface Tables {
  /** Makes the table and what it needs around it; `table.exists` when it is there. */
  createTable(tableId: TableId, columns: readonly string[], options: MakeTable): Promise<void>;
  describeTable(tableId: TableId, options: Waiting): Promise<TableDescription | undefined>;
  /**
   * The columns of its description; undefined when there is no such table. It takes as long however many tables there are and whatever is
   * in them, as a description need not.
   */
  columnsOf(tableId: TableId, options: Waiting): Promise<readonly string[] | undefined>;
  /** Sorted by id; the dead letter table is among them once it exists. */
  listTables(options: Waiting): Promise<readonly TableDescription[]>;
  /**
   * Does nothing when there is none, or, where an identity is given, another one than that. `table.inUse` when something of the database
   * depends on it.
   */
  dropTable(tableId: TableId, options: DropTable): Promise<void>;
  /**
   * Changes the columns of a table, all at once or not at all; its rows keep their order. Does nothing when it has the columns
   * already that the change ends with; `table.schemaMismatch` unless it has those that the change begins with. `table.notFound`;
   * `input.invalid` for names that no table can have; `table.inUse` when something of the database depends on a column that goes,
   * or the primary key has it. A column of the primary key that is renamed stays in it.
   */
  alterTable(tableId: TableId, change: ColumnChange, options: Waiting): Promise<void>;
  /**
   * Removes all rows; columns and primary key stay. What an import under way loads is gone, too, or comes after. The identity may
   * be another one afterwards. `table.notFound`; `table.inUse` when something of the database depends on the rows, or would go with them.
   */
  emptyTable(tableId: TableId, options: Waiting): Promise<void>;
  /**
   * Removes rows of the dead letter table for which each of the conditions holds, at least one and at most `limit` of them, and answers
   * how many; 0 when there is none, or no such table. `input.invalid` as for a preview.
   */
  deleteLetters(letters: LettersToDelete, options: Waiting): Promise<number>;
  /**
   * Gives a table another name in its bucket; rows, columns and identity stay. `table.notFound`; `table.exists` when the bucket has one of
   * that name, in any letter case. Does nothing when the names are the same.
   */
  renameTable(tableId: TableId, to: TableId, options: Waiting): Promise<void>;
  /**
   * Removes what was made around tables of this bucket when nothing is left in it; does nothing otherwise, and nothing where it could not
   * be made again.
   */
  dropBucket(tableId: TableId, options: Waiting): Promise<void>;
}
