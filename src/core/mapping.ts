import type { Column } from './column.ts';
import type { ColumnRename } from './column-change.ts';
import type { Signal } from './event.ts';
import type { Incarnation } from './ids.ts';
import type { TableId } from './table-id.ts';

/**
 * Everything that turns events into rows, frozen under a version. Exactly one version makes a row, a slice holds the
 * rows of exactly one version, and an import puts them into the table that this version names.
 */
export interface Mapping {
  readonly incarnation: Incarnation;
  /** Counts from 1 within the incarnation; changes when table, columns or signals change. */
  readonly version: number;
  readonly tableId: TableId;
  readonly columns: readonly Column[];
  /** Empty: all signals. */
  readonly allowedSignals: readonly Signal[];
  /** The version that was used before; absent in the first one, and where an earlier release of the product wrote it. */
  readonly follows?: number;
  /** Given when its table had other columns before: rows of earlier versions go to their places in it. */
  readonly altered?: { readonly renamed: readonly ColumnRename[] };
}
