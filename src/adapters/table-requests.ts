import type { ImportAttempt } from '../core/progress/sink-progress.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { TableId } from '../core/table-id.ts';
import type { CellCondition, PreviewQuery } from '../ports/table-pages.ts';
import type { LettersToDelete } from '../ports/tables.ts';

// What every store of tables refuses, whatever it is made of.

/** For columns that no table is made with. */
export function refusedColumns(rule: string): MillraceError {
  return new MillraceError('input.invalid', `Invalid "columns" value: ${rule}`);
}

/** `input.invalid` unless a table can have columns of these names: one at least, each once. */
export function checkColumnNames(columns: readonly string[]): void {
  if (columns.length === 0) throw refusedColumns('a table needs at least one column');
  const seen = new Set<string>();
  for (const column of columns) {
    if (column === '') throw refusedColumns('a column name cannot be empty');
    if (column.includes('\0')) throw refusedColumns('a column name cannot hold the character U+0000');
    if (!column.isWellFormed()) throw refusedColumns('a column name cannot hold half of a surrogate pair');
    if (seen.has(column)) throw refusedColumns(`column "${column}" stands twice`);
    seen.add(column);
  }
}

/** `input.invalid` unless a table of these columns can have this primary key. */
export function checkPrimaryKey(columns: readonly string[], primaryKey: readonly string[]): void {
  const fail = (rule: string): never => {
    throw new MillraceError('input.invalid', `Invalid "primaryKey" value: ${rule}`);
  };
  for (const [at, column] of primaryKey.entries()) {
    if (!columns.includes(column)) fail(`the table has no column "${column}"`);
    if (primaryKey.indexOf(column) !== at) fail(`column "${column}" stands twice`);
  }
}

/** `table.inUse` when a change takes a column away that the primary key of the table has. */
export function checkKeptKey(tableId: TableId, primaryKey: readonly string[], dropped: readonly string[]): void {
  const lost = dropped.find((column) => primaryKey.includes(column));
  if (lost === undefined) return;
  const rule = 'a column of the key cannot be dropped. Give the table another key first, by a load';
  throw new MillraceError(
    'table.inUse',
    `the primary key ${listed(primaryKey)} of the table "${tableId}" has the column "${lost}": ${rule}`,
    { details: { tableId, column: lost } },
  );
}

/** Names of columns as an error shows them. */
export function listed(columns: readonly string[]): string {
  return `[${columns.map((column) => `"${column}"`).join(', ')}]`;
}

export function checkAttempt({ number, id }: ImportAttempt): void {
  if (Number.isSafeInteger(number) && number >= 1 && id !== '') return;
  throw new MillraceError('internal.bug', `an import needs a positive number and an id, given ${number} and "${id}"`);
}

/** The columns that a preview shows of a table that has `known`; `input.invalid`, for its conditions and its limit, too. */
export function columnsToShow(
  tableId: TableId,
  known: readonly string[],
  { columns = known, where = [], limit }: PreviewQuery,
): readonly string[] {
  const named = [...columns, ...where.map(({ column }) => column)];
  const unknown = named.find((column) => !known.includes(column));
  if (unknown !== undefined) throw new MillraceError('input.invalid', `table "${tableId}" has no column "${unknown}"`);
  const impossible = where.find((condition) =>
    textsOf(condition).some((text) => text.includes('\0') || !text.isWellFormed()),
  );
  if (impossible !== undefined) {
    const rule = 'it holds the character U+0000 or half of a surrogate pair, which no cell has';
    throw new MillraceError('input.invalid', `no cell of column "${impossible.column}" is like that: ${rule}`);
  }
  if (Number.isSafeInteger(limit) && limit >= 0) return columns;
  throw new MillraceError('input.invalid', `Invalid "limit" value ${limit}: expected a whole number from 0`);
}

function textsOf(condition: CellCondition): readonly string[] {
  if ('value' in condition) return [condition.value];
  if ('values' in condition) return condition.values;
  return [condition.from, condition.before].filter((text) => text !== undefined);
}

/** `internal.bug` for a deletion without a condition: it would take all rows. */
export function checkDeletion({ where }: LettersToDelete): void {
  if (where.length === 0) throw new MillraceError('internal.bug', 'rows are deleted by at least one condition');
}
