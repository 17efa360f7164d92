import type { PreviewShape } from '../api-shapes.ts';
import type { TableText } from '../print.ts';
import { columnsOf, printable } from '../printable.ts';
import { fitWidths } from './fit-widths.ts';

/** Borders and blanks beside a cell. */
const besideCell = 3;
/** Where nothing else bounds a cell, this does. */
const widestCell = 500;

/** The first rows of a table, with cells as long as they fit: into `width` characters, else nearly whole. */
export function previewTable({ columns, rows }: PreviewShape, width?: number): TableText {
  const texts = rows.map((row) => row.map(({ value }) => printable(value, widestCell)));
  const needed = columns.map((name, column) =>
    Math.max(...[name, ...texts.map((row) => row[column] ?? '')].map(columnsOf)),
  );
  const widths = width === undefined ? needed : fitWidths(needed, width - besideCell * columns.length - 1);
  const fit = (text: string, column: number): string => printable(text, widths[column]);
  return { head: columns.map(fit), rows: texts.map((row) => row.map(fit)), empty: 'The table has no rows yet.' };
}
