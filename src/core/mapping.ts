import type { Column } from './column.ts';
import type { Signal } from './event.ts';
import type { Incarnation } from './ids.ts';
import type { TableId } from './table-id.ts';

/**
 * Everything that makes rows of events, frozen under a version: a row is made by exactly one version, a slice holds
 * rows of exactly one, and an import puts them into the table that this version names.
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
