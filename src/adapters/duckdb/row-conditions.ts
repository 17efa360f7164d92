import { identifier } from '../duckdb-engine/sql.ts';
import type { CellCondition } from '../../ports/table-pages.ts';

/** What follows the name of the table in a statement, and the values that it names from `$1` on. */
export interface RowFilter {
  /** Empty without a condition. */
  readonly clause: string;
  readonly values: readonly string[];
}

/** Rows for which all conditions hold. DuckDB compares texts by their bytes. */
export function rowFilter(where: readonly CellCondition[]): RowFilter {
  const values: string[] = [];
  const bound = (value: string): string => `$${values.push(value)}`;
  const tests = where.flatMap((condition) => testsOf(condition, bound));
  return { clause: tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`, values };
}

function testsOf(condition: CellCondition, bound: (value: string) => string): readonly string[] {
  const cell = cellOf(condition.column);
  if ('value' in condition) return [`${cell} = ${bound(condition.value)}`];
  if ('values' in condition) {
    const { values, isNot = false } = condition;
    if (values.length === 0) return [String(isNot)];
    return [`${cell} ${isNot ? 'NOT IN' : 'IN'} (${values.map(bound).join(', ')})`];
  }
  const { from, before } = condition;
  return [
    ...(from === undefined ? [] : [`${cell} >= ${bound(from)}`]),
    ...(before === undefined ? [] : [`${cell} < ${bound(before)}`]),
  ];
}

/** A cell is NULL only where somebody has changed the table by hand. */
export function cellOf(column: string): string {
  return `coalesce(${identifier(column)}, '')`;
}
