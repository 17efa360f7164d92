import { areSameColumns, columnsAfter, type ColumnChange } from '../../core/column-change.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { nearestOf } from '../../core/nearest-of.ts';
import { shortened } from '../../core/shortened.ts';
import { isReservedTable, type TableId } from '../../core/table-id.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { aloneOnTable, begin, found, type TableChange } from './change-table.ts';
import { adviceOn, dependentsText } from './in-the-way.ts';
import { readSettledDependents, type ReadDependentsParts } from './table-dependents.ts';
import { unlessDone } from './unless-done.ts';

type ChangeColumnsParts = ReadDependentsParts & Pick<Parts, 'ownership' | 'seat' | 'tables' | 'tasks'>;

export interface OneColumn extends TableChange {
  readonly column: string;
}

/**
 * Adds a column of text at the end, empty in the rows that are there, and answers the table. `table.notFound`, `column.invalid`,
 * `column.exists`; `table.inUse` while a sink fills the table or rows wait for it: they have no such column.
 */
export function addColumn(parts: ChangeColumnsParts, wanted: OneColumn, options: Waiting): Promise<TableDescription> {
  const { tableId, column } = wanted;
  const plan = ({ columns }: TableDescription): ColumnChange => {
    checkName(column);
    const there = columns.find((one) => one.toLowerCase() === column.toLowerCase());
    if (there !== undefined)
      throw new MillraceError('column.exists', `the table "${tableId}" has a column "${there}" already`);
    if (columns.length >= limits.columnsPerCreatedTable)
      throw new MillraceError(
        'column.invalid',
        `the table "${tableId}" has ${columns.length} columns, the maximum is ${limits.columnsPerCreatedTable}`,
      );
    return { before: columns, dropped: [], renamed: [], added: [column] };
  };
  return change(parts, { ...wanted, verb: 'added to', plan }, options);
}

/**
 * Drops a column with all its cells, and answers the table. `table.notFound`, `column.notFound`, `column.last`; `table.inUse` while a sink
 * that fills the table has it, or rows wait, and when the primary key has it.
 */
export function dropColumn(parts: ChangeColumnsParts, wanted: OneColumn, options: Waiting): Promise<TableDescription> {
  const { tableId, column } = wanted;
  const plan = ({ columns }: TableDescription): ColumnChange => {
    if (!columns.includes(column)) throw notFound(tableId, columns, column);
    if (columns.length === 1)
      throw new MillraceError('column.last', `"${column}" is the only column of the table "${tableId}": it stays`);
    return { before: columns, dropped: [column], renamed: [], added: [] };
  };
  return change(parts, { ...wanted, verb: 'dropped from', plan }, options);
}

type Verb = 'added to' | 'dropped from';

interface PlannedColumn extends OneColumn {
  readonly verb: Verb;
  /** Of the table as it stands once nobody else may change it. */
  readonly plan: (table: TableDescription) => ColumnChange;
}

function change(
  parts: ChangeColumnsParts,
  { verb, plan, ...wanted }: PlannedColumn,
  options: Waiting,
): Promise<TableDescription> {
  const { tableId } = wanted;
  return aloneOnTable(parts, wanted, async () => {
    const table = await found(parts, tableId, options);
    if (isReservedTable(tableId))
      throw new MillraceError('table.inUse', `no column is ${verb} the table "${tableId}": dead letters go into it`);
    const columns = plan(table);
    requireOutsideKey(table, columns);
    await requireFree(parts, { ...wanted, verb, columns }, options);
    await begin(parts, wanted, options);
    const after = columnsAfter(columns);
    const isDone = async (): Promise<boolean> =>
      areSameColumns((await parts.tables.describeTable(tableId, options))?.columns ?? [], after);
    await unlessDone(() => parts.tables.alterTable(tableId, columns, options), isDone, options);
    return found(parts, tableId, options);
  });
}

/** Any name that a sink may give a column. */
function checkName(column: string): void {
  const { length } = Array.from(column);
  if (length >= 1 && length <= limits.columnNameLength && column.isWellFormed() && !column.includes('\0')) return;
  const rule = `1 to ${limits.columnNameLength} characters, none of them U+0000 or half of a surrogate pair`;
  const message = `the name of a column must be ${rule}, but got value ${JSON.stringify(shortened(column, 200))}`;
  throw new MillraceError('column.invalid', message);
}

function notFound(tableId: TableId, columns: readonly string[], column: string): MillraceError {
  const nearest = nearestOf(column, columns);
  const advice = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  return new MillraceError(
    'column.notFound',
    `the table "${tableId}" has no column "${shortened(column, 100)}"${advice}`,
  );
}

/** The store refuses it, too; here before anything is noted in the trail. */
function requireOutsideKey({ tableId, primaryKey }: TableDescription, { dropped }: ColumnChange): void {
  const [column] = dropped;
  if (column === undefined || !primaryKey.includes(column)) return;
  const key = primaryKey.map((name) => `"${name}"`).join(', ');
  const message = `the column "${column}" is not dropped from the table "${tableId}": it is part of the primary key (${key})`;
  throw new MillraceError('table.inUse', message, { details: { tableId, column } });
}

interface WantedChange extends OneColumn {
  readonly verb: Verb;
  readonly columns: ColumnChange;
}

/**
 * A sink has exactly the columns of its table. One that does not, because somebody changed the table by hand, is not in the way of a change
 * that makes them fit, nor of one that takes away what it does not have.
 */
async function requireFree(
  parts: ReadDependentsParts,
  { tableId, column, verb, columns }: WantedChange,
  options: Waiting,
): Promise<void> {
  const after = columnsAfter(columns);
  const dependents = await readSettledDependents(parts, tableId, options);
  const fits = dependents.sinks.filter((sink) => areSameColumns(sink.columns, after));
  const sinks = dependents.sinks.filter(
    (sink) =>
      sink.state !== 'deleted' && !fits.includes(sink) && (columns.added.length > 0 || sink.columns.includes(column)),
  );
  const waiting = dependents.waiting.filter(
    ({ incarnation }) => !fits.some((sink) => sink.incarnation === incarnation),
  );
  if (sinks.length + waiting.length === 0) return;
  const inTheWay = { sinks, waiting };
  const alter = 'Or change the columns of the sink and of its table at once: "sink update" with "--alter-table"';
  const sentences = [dependentsText(inTheWay), adviceOn(inTheWay), ...(sinks.length === 0 ? [] : [alter])];
  const message = `the column "${column}" is not ${verb} the table "${tableId}": ${sentences.join('. ')}`;
  throw new MillraceError('table.inUse', message, { details: { tableId, column } });
}
