import { MillraceError } from './millrace-error.ts';
import type { TableId } from './table-id.ts';

/** A column as a table has it. */
export interface FoundColumn {
  readonly name: string;
  /** What it is that it must not be: `INTEGER`, `may be NULL`. */
  readonly fault?: string | undefined;
}

interface ComparedTable {
  readonly tableId: TableId;
  readonly expected: readonly string[];
  readonly found: readonly FoundColumn[];
  /** What else is wrong with its columns, as the end of the sentence. */
  readonly lack?: string | undefined;
}

/** `table.schemaMismatch` unless a table has these columns in this order, all of them as the product makes them; undefined then. */
export function columnMismatch({ tableId, expected, found, lack }: ComparedTable): MillraceError | undefined {
  const isSame =
    found.length === expected.length &&
    found.every(({ name, fault }, at) => name === expected[at] && fault === undefined);
  if (isSame && lack === undefined) return undefined;
  const message = `columns of the table "${tableId}" do not match expected ${shown(namedColumns(expected))}, found ${shown(found)}${lack ?? ''}`;
  return new MillraceError('table.schemaMismatch', message, { details: { tableId } });
}

/** Columns of which nothing is known but their names. */
export function namedColumns(names: readonly string[]): readonly FoundColumn[] {
  return names.map((name) => ({ name }));
}

/** For whoever expects a table where there is none. */
export function tableNotFound(tableId: TableId): MillraceError {
  return new MillraceError('table.notFound', `table "${tableId}" does not exist`, { details: { tableId } });
}

function shown(columns: readonly FoundColumn[]): string {
  return `[${columns.map(({ name, fault }) => `"${name}"${fault === undefined ? '' : ` (${fault})`}`).join(', ')}]`;
}
