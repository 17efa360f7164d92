import { MillraceError } from '../core/millrace-error.ts';
import { tableName, type TableId } from '../core/table-id.ts';
import type { CsvContent } from '../ports/csv-content.ts';
import type { LoadRequest, TableLoad } from '../ports/table-loads.ts';
import { checkColumnNames, checkPrimaryKey, listed } from './table-requests.ts';

/** Lines with the same columns. */
export interface LoadPart {
  readonly columns: readonly string[];
  readonly contents: readonly CsvContent[];
  readonly expectedRows: number;
}

/** All that one table gets of a load. */
export interface PlannedLoad {
  readonly tableId: TableId;
  /** Of all parts, in the order in which they appear. */
  readonly columns: readonly string[];
  readonly primaryKey: readonly string[];
  readonly isIncremental: boolean;
  /** In the order of loading. */
  readonly parts: readonly LoadPart[];
}

/**
 * What a load is for each table, sorted by id: loads that meet take the tables in one order. `input.invalid` for what no table can be
 * given; `table.schemaMismatch` for two keys of one table.
 */
export function plannedLoads(id: string, { tables, note }: LoadRequest): readonly PlannedLoad[] {
  if (id === '') throw new MillraceError('internal.bug', 'a load needs an id');
  if (note.includes('\0') || !note.isWellFormed())
    throw new MillraceError('internal.bug', 'the note of a load is no text that every store keeps');
  const planned = new Map<TableId, PlannedLoad>();
  for (const table of tables) {
    checkLoad(table);
    planned.set(table.tableId, joined(planned.get(table.tableId), table));
  }
  return [...planned.values()].toSorted((a, b) => (a.tableId < b.tableId ? -1 : 1));
}

/** All contents of a load. */
export function contentsOf(plans: readonly PlannedLoad[]): readonly CsvContent[] {
  return plans.flatMap(({ parts }) => parts.flatMap(({ contents }) => contents));
}

function checkLoad({ tableId, columns, primaryKey }: TableLoad): void {
  if (tableName(tableId).stage === 'sys') {
    const rule = 'tables of the stage "sys" are the product\'s own, load into "in" or "out"';
    throw new MillraceError('input.invalid', `Invalid "tableId" value "${tableId}": ${rule}`);
  }
  checkColumnNames(columns);
  checkPrimaryKey(columns, primaryKey);
}

function joined(before: PlannedLoad | undefined, table: TableLoad): PlannedLoad {
  const { tableId, columns, primaryKey, isIncremental, rows: contents, expectedRows } = table;
  const part: LoadPart = { columns, contents, expectedRows };
  if (before === undefined) return { tableId, columns, primaryKey, isIncremental, parts: [part] };
  if (primaryKey.length > 0 && before.primaryKey.length > 0 && !isSameKey(primaryKey, before.primaryKey)) {
    const keys = `${listed(before.primaryKey)} and ${listed(primaryKey)}`;
    const message = `one load gives the table "${tableId}" two primary keys, ${keys}: give it one`;
    throw new MillraceError('table.schemaMismatch', message, { details: { tableId } });
  }
  return {
    tableId,
    columns: [...before.columns, ...columns.filter((column) => !before.columns.includes(column))],
    primaryKey: before.primaryKey.length > 0 ? before.primaryKey : primaryKey,
    isIncremental: before.isIncremental && isIncremental,
    parts: [...before.parts, part],
  };
}

/** True when two keys tell the same rows apart: their order does not count. */
export function isSameKey(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((column) => others.includes(column));
}
