import type { Column } from './column.ts';
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
}
