import { letterKeyColumns } from '../../core/dead-letter.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import type { LetterCells } from '../letters-behind.ts';
import { cellIn, cellOf } from './row-conditions.ts';
import { tableOf } from './table-names.ts';

/** The cells of the dead letter table, or of another one with such columns, under the name that the statement gives it. */
export function letterKeyCells(name?: string): LetterCells {
  const cell = (column: string): string => (name === undefined ? cellOf(column) : cellIn(name, column));
  const text = (column: string): string => `${cell(column)} COLLATE "C"`;
  // Rows that somebody put there by hand may hold any text.
  const number = (column: string): string =>
    `(CASE WHEN ${text(column)} ~ '^[0-9]{1,18}$' THEN ${cell(column)}::bigint END)`;
  return { text, number };
}

const { text, number } = letterKeyCells();

/**
 * By this index a replay finds the next letters of an incarnation, and those that it takes: without it each batch of a thousand reads the
 * whole table three times.
 */
export const letterIndex = `CREATE INDEX ON ${tableOf(deadLetterTable)}
  ((${text('incarnation')}), ${number('partition')}, ${number('offset')}, (${text('event_id')}))`;

/** Holds for rows of two tables that have the same key, byte for byte; numbers are compared, too, for the index. */
export function isSameLetter(letters: string, named: string): string {
  const [one, other] = [letterKeyCells(letters), letterKeyCells(named)];
  const isSame = letterKeyColumns.map((column) => `${one.text(column)} = ${other.text(column)}`);
  const isSameNumber = ['partition', 'offset'].map((column) => `${one.number(column)} = ${other.number(column)}`);
  return [...isSame, ...isSameNumber].join(' AND ');
}
