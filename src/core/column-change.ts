import { MillraceError } from './millrace-error.ts';
import type { TableId } from './table-id.ts';

export interface ColumnRename {
  readonly from: string;
  readonly to: string;
}

/** What makes other columns of those of a table: first some go, then some get another name, then some come, at the end and empty. */
export interface ColumnChange {
  /** The columns before, in order. */
  readonly before: readonly string[];
  readonly dropped: readonly string[];
  readonly renamed: readonly ColumnRename[];
  readonly added: readonly string[];
}

/** True when these are the same columns in the same order. */
export function areSameColumns(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, at) => name === others[at]);
}

/** The columns after a change, in order. */
export function columnsAfter({ before, dropped, renamed, added }: ColumnChange): readonly string[] {
  const names = new Map(renamed.map(({ from, to }) => [from, to]));
  return [...before.filter((name) => !dropped.includes(name)).map((name) => names.get(name) ?? name), ...added];
}

/** True when it changes nothing. */
export function isNoChange({ dropped, renamed, added }: ColumnChange): boolean {
  return dropped.length + renamed.length + added.length === 0;
}

interface WantedColumns {
  readonly tableId: TableId;
  /** Of the table. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Columns that keep their cells under another name; a rename that is done already is none any more. */
  readonly renamed: readonly ColumnRename[];
}

/**
 * How a table gets these columns. `input.invalid` when it cannot, with the order that would do: columns keep their places, added ones come
 * last, and one at least stays.
 */
export function planColumns({ tableId, before, after, renamed: asked }: WantedColumns): ColumnChange {
  const fail = (reason: string): never => {
    throw new MillraceError('input.invalid', `The columns of the table "${tableId}" cannot be changed so: ${reason}.`);
  };
  const renamed = asked.filter(({ from, to }) => before.includes(from) || !before.includes(to));
  for (const { from, to } of renamed) {
    if (!before.includes(from)) fail(`there is no column "${from}" to be renamed to "${to}"`);
    if (!after.includes(to)) fail(`"${from}" is to be renamed to "${to}", which the sink does not have`);
    if (before.includes(to)) fail(`"${from}" cannot be renamed to "${to}": the table has that column already`);
    if (after.includes(from)) fail(`"${from}" is renamed to "${to}", and the sink still has it`);
    if (renamed.some((other) => other.from === from && other.to !== to)) fail(`"${from}" is renamed twice`);
    if (renamed.some((other) => other.to === to && other.from !== from)) fail(`two columns are renamed to "${to}"`);
  }
  const names = new Map(renamed.map(({ from, to }) => [from, to]));
  const dropped = before.filter((name) => !after.includes(names.get(name) ?? name));
  const kept = columnsAfter({ before, dropped, renamed, added: [] });
  if (kept.length === 0) fail('no column would stay. Rename one, or let the sink fill another table');
  const added = after.filter((name) => !kept.includes(name));
  const order = [...kept, ...added];
  if (order.some((name, at) => name !== after[at]))
    fail(
      `columns keep their places, and added ones come last. Give them in this order: ${order.map((name) => `"${name}"`).join(', ')}`,
    );
  return { before, dropped, renamed: [...names].map(([from, to]) => ({ from, to })), added };
}

/** The change as sentences for people, in the order in which it is made; none when there is nothing to change. */
export function columnChangeText({ dropped, renamed, added }: ColumnChange): readonly string[] {
  return [
    ...dropped.map((name) => `drop column "${name}" with all its cells`),
    ...renamed.map(({ from, to }) => `rename column "${from}" to "${to}"`),
    ...added.map((name) => `add column "${name}", empty in the rows that are there`),
  ];
}

/** Where the cells of a row go that was made for other columns than its table has by now. */
export interface PlacedCells {
  /** The columns of the table, in order. */
  readonly columns: readonly string[];
  /** For each of them the number of the cell that goes there, from 0; null: it stays empty. */
  readonly cells: readonly (number | null)[];
}

/** Each cell at its own column. */
export function cellsInPlace(columns: readonly string[]): PlacedCells {
  return { columns, cells: columns.map((_, at) => at) };
}

/**
 * The same cells after the columns became `after`: a column has the cells of the one that was renamed to it, else of the one that had its
 * name, else none.
 */
export function placedAfter(
  { columns, cells }: PlacedCells,
  after: readonly string[],
  renamed: readonly ColumnRename[],
): PlacedCells {
  const cellOf = (name: string): number | null => {
    // A rename that was done before is none any more.
    const rename = renamed.find(({ from, to }) => to === name && columns.includes(from) && !columns.includes(to));
    return cells[columns.indexOf(rename?.from ?? name)] ?? null;
  };
  return { columns: after, cells: after.map(cellOf) };
}
