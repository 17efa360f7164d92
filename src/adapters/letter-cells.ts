import { deadLetterColumns, type DeadLetterCells } from '../core/dead-letter.ts';

/** A row of the dead letter table by its columns; what is missing is empty. */
export function letterCells(row: readonly string[]): DeadLetterCells {
  return Object.fromEntries(deadLetterColumns.map((column, at) => [column, row[at] ?? ''])) as DeadLetterCells;
}
