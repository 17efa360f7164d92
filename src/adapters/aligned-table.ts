import { MillraceError } from '../core/millrace-error.ts';
import type { TableId } from '../core/table-id.ts';
import { isSameKey, type PlannedLoad } from './planned-loads.ts';
import { listed } from './table-requests.ts';

/** How a table is made to fit a load. */
export interface AlignedTable {
  /** That it lacks; they come last. */
  readonly added: readonly string[];
  /** All of them then. */
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
  /** The key is not the one that it has: the rows that stay must be unique by it. */
  readonly isOtherKey: boolean;
}

/** `table.schemaMismatch` when lines have no cell for a column of the key: all of them would be one row. */
export function alignedTable(
  load: PlannedLoad,
  table: { readonly columns: readonly string[]; readonly primaryKey: readonly string[] },
): AlignedTable {
  const { tableId, columns, parts } = load;
  const isOtherKey = load.primaryKey.length > 0 && !isSameKey(load.primaryKey, table.primaryKey);
  const primaryKey = isOtherKey ? load.primaryKey : table.primaryKey;
  for (const part of parts) {
    const lacking = primaryKey.find((column) => !part.columns.includes(column));
    if (lacking === undefined) continue;
    const fault = `the primary key of the table "${tableId}" is ${listed(primaryKey)}, and the rows to load have no column "${lacking}"`;
    throw new MillraceError('table.schemaMismatch', `${fault}: give them that column`, { details: { tableId } });
  }
  const added = columns.filter((column) => !table.columns.includes(column));
  return { added, columns: [...table.columns, ...added], primaryKey, isOtherKey };
}

/** For a key that the rows of a table cannot have. */
export function rowsNotUnique(
  tableId: TableId,
  primaryKey: readonly string[],
  before: readonly string[],
): MillraceError {
  const has = before.length === 0 ? 'has none' : `has ${listed(before)}`;
  const fault = `the table "${tableId}" cannot get the primary key ${listed(primaryKey)}: it ${has}, and several of its rows are the same by it`;
  const action = 'load without "incremental", which replaces its rows, or with the key that it has';
  return new MillraceError('table.schemaMismatch', `${fault}; ${action}`, { details: { tableId } });
}

/** For content that is not what was announced. */
export function otherRowCount(tableId: TableId, rows: number, expected: number): MillraceError {
  return new MillraceError(
    'table.invalidContent',
    `the content for the table "${tableId}" holds ${rows} rows, expected ${expected}`,
    { details: { tableId, rows, expected } },
  );
}
