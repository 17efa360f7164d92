import {
  areSameColumns,
  columnsAfter,
  isNoChange,
  planColumns,
  type ColumnChange,
  type ColumnRename,
} from '../../core/column-change.ts';
import { mappingId, progressId } from '../../documents/document-id.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Column } from '../../core/column.ts';
import type { Incarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Sink } from '../../core/sink.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { changeProgressMapping } from './change-progress.ts';
import type { SinkChanges } from './sink-input.ts';
import type { SinkMapping } from './sink-plan.ts';
import { adviceOn, dependentsText } from './in-the-way.ts';
import { readSettledDependents, type ReadDependentsParts } from './table-dependents.ts';

export type AlterTableParts = ReadDependentsParts & Pick<Parts, 'ownership' | 'seat' | 'tables'>;

/** What becomes of the table of a sink. */
export type Alteration =
  | { readonly kind: 'make' }
  | { readonly kind: 'alter'; readonly columns: ColumnChange; readonly renamed: readonly ColumnRename[] };

interface AlterationOf {
  readonly sink: Sink;
  readonly mapping: SinkMapping;
  readonly wanted: SinkChanges['table'];
}

/**
 * What has to become of the table so that it fits the mapping; undefined when it does, or when nobody asked for that. `input.invalid` when
 * it cannot; `table.inUse` when somebody else needs the columns that it has.
 */
export async function alterationOf(
  parts: AlterTableParts,
  { sink, mapping, wanted }: AlterationOf,
  options: Waiting,
): Promise<Alteration | undefined> {
  const { alter = false, renamed = [] } = wanted ?? {};
  if (!alter) {
    if (renamed.length === 0) return undefined;
    throw new MillraceError(
      'input.invalid',
      '"table.renamed" needs "table.alter": it changes the columns of the table',
    );
  }
  const { tableId } = mapping;
  const after = namesOf(mapping.columns);
  const found = await parts.tables.describeTable(tableId, options);
  if (found === undefined) return { kind: 'make' };
  const columns = planColumns({ tableId, before: found.columns, after, renamed });
  const isSinkBehind = sink.table.tableId === tableId && !areSameColumns(namesOf(sink.table.columns), after);
  if (isNoChange(columns)) return isSinkBehind ? { kind: 'alter', columns, renamed } : undefined;
  const others = await readSettledDependents(parts, tableId, options);
  const inTheWay = {
    sinks: others.sinks.filter(
      (one) => one.incarnation !== sink.incarnation && one.state !== 'deleted' && !areSameColumns(one.columns, after),
    ),
    waiting: others.waiting.filter(({ incarnation }) => incarnation !== sink.incarnation),
  };
  if (inTheWay.sinks.length + inTheWay.waiting.length > 0) {
    const text = `the columns of the table "${tableId}" cannot be changed: ${dependentsText(inTheWay)}. ${adviceOn(inTheWay)}`;
    throw new MillraceError('table.inUse', text, { details: { tableId } });
  }
  return { kind: 'alter', columns, renamed };
}

interface AlteredFor {
  readonly tableId: TableId;
  readonly columns: ColumnChange;
  /** The mapping that the columns change for. */
  readonly incarnation: Incarnation;
  readonly version: number;
}

/**
 * Changes the columns of the table. When that is refused, nobody finds the mapping that they were to change for. After an unclear answer
 * it is looked up what happened.
 */
export async function alterTable(
  parts: AlterTableParts & Pick<Parts, 'catalog'>,
  { tableId, columns, incarnation, version }: AlteredFor,
  options: Waiting,
): Promise<void> {
  if (isNoChange(columns)) return;
  try {
    await parts.seat.assertHeld(options);
    await parts.ownership.assertOurs('tables', options);
    await parts.tables.alterTable(tableId, columns, options);
  } catch (thrown) {
    if (options.signal.aborted) throw thrown;
    if (!MillraceError.fromUnknown(thrown).retryable) {
      await removeDocument(parts.catalog, { collection: 'mapping', id: mappingId(incarnation, version) }, options);
      throw thrown;
    }
    const found = await parts.tables.describeTable(tableId, options).catch(() => undefined);
    if (found === undefined || !areSameColumns(found.columns, columnsAfter(columns))) throw thrown;
  }
}

/** An update that changed the columns of its table and came no further is completed: its mapping is used from here on. */
export async function finishAltering(
  parts: Pick<Parts, 'catalog' | 'clock' | 'definitions' | 'tables'>,
  incarnation: Incarnation,
  options: Waiting,
): Promise<void> {
  const { catalog, definitions, tables } = parts;
  const inUse = (await definitions.progress(incarnation, options))?.mappingVersion;
  if (inUse === undefined) return;
  const next = { kind: mappingDocuments, id: mappingId(incarnation, inUse + 1) };
  if ((await readDocument(catalog, next, options)) === undefined) return;
  const all = await listDocuments(catalog, { kind: mappingDocuments, prefix: `${progressId(incarnation)}/` }, options);
  for (const { version, follows, altered, tableId, columns } of all.toReversed()) {
    if (version <= inUse || follows !== inUse || altered === undefined) continue;
    const found = await tables.describeTable(tableId, options);
    if (found === undefined || !areSameColumns(found.columns, namesOf(columns))) continue;
    return changeProgressMapping(parts, { incarnation, version }, options);
  }
}

function namesOf(columns: readonly Column[]): readonly string[] {
  return columns.map(({ name }) => name);
}
