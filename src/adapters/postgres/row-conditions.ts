import type { CellCondition } from '../../ports/table-pages.ts';
import { identifier, storedColumn } from './table-names.ts';

/** The tests of a statement, and the values that they name from `$1` on. */
export interface RowTests {
  readonly tests: readonly string[];
  readonly values: readonly (string | readonly string[])[];
}

/** Hold for rows for which all conditions hold. */
export function rowTests(where: readonly CellCondition[]): RowTests {
  const values: (string | readonly string[])[] = [];
  const bound = (value: string | readonly string[]): string => `$${values.push(value)}`;
  return { tests: where.flatMap((condition) => testsOf(condition, bound)), values };
}

function testsOf(condition: CellCondition, bound: (value: string | readonly string[]) => string): readonly string[] {
  // Bytes, whatever the database thinks of accents and capitals.
  const cell = `${cellOf(condition.column)} COLLATE "C"`;
  if ('value' in condition) return [`${cell} = ${bound(condition.value)}`];
  if ('values' in condition) {
    const { values, isNot = false } = condition;
    return [`${cell} ${isNot ? '<> ALL' : '= ANY'} (${bound(values)}::text[])`];
  }
  const { from, before } = condition;
  return [
    ...(from === undefined ? [] : [`${cell} >= ${bound(from)}`]),
    ...(before === undefined ? [] : [`${cell} < ${bound(before)}`]),
  ];
}

/** ` WHERE …`; empty without a test. */
export function whereClause(tests: readonly string[]): string {
  return tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`;
}

/** As text. A cell is none, or NULL, only where somebody has changed the table by hand. */
export function cellOf(column: string): string {
  return textIn(identifier(storedColumn(column)));
}

/** The same of a table that the statement names so. */
export function cellIn(name: string, column: string): string {
  return textIn(`${name}.${identifier(storedColumn(column))}`);
}

function textIn(cell: string): string {
  return `coalesce(${cell}::text, '')`;
}
