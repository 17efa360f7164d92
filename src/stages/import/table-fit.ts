import { areSameColumns, cellsInPlace, placedAfter, type PlacedCells } from '../../core/column-change.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { MillraceError } from '../../core/millrace-error.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { columnMismatch, namedColumns, tableNotFound } from '../../core/table-fault.ts';
import { usedVersions } from '../../core/used-versions.ts';
import { progressId } from '../../documents/document-id.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { readProgress } from '../replica/progress-document.ts';

export interface TableFitPorts {
  readonly catalog: Catalog;
  readonly tables: Pick<Tables, 'columnsOf'>;
}

/** How rows of a mapping fit its table. */
export interface TableFit {
  /** Why they do not; absent: they do. */
  readonly misfit?: MillraceError;
  /** Where their cells go in a table whose columns have changed since; absent: each at its own column. */
  readonly placed?: PlacedCells;
}

/**
 * Looks at the table as it is now. Rows of an earlier mapping follow the changes that its sink has made of the columns since: cells go with
 * renamed columns, those of dropped ones are left out, added ones stay empty. `progress` may be behind: rows are found not to fit only by
 * the mapping that was in use before and after the look at the table.
 */
export async function fitOf(
  ports: TableFitPorts,
  { progress, mapping }: { readonly progress: Pick<SinkProgress, 'mappingVersion'>; readonly mapping: Mapping },
  options: Waiting,
): Promise<TableFit> {
  let inUse = progress.mappingVersion;
  for (;;) {
    const fit = await fitBy(inUse, ports, { mapping, options });
    if (fit.misfit === undefined) return fit;
    const now = (await readProgress(ports.catalog, mapping.incarnation, options))?.value.mappingVersion ?? inUse;
    if (now === inUse) return fit;
    inUse = now;
  }
}

async function fitBy(
  inUse: number,
  { catalog, tables }: TableFitPorts,
  { mapping, options }: { readonly mapping: Mapping; readonly options: Waiting },
): Promise<TableFit> {
  const { tableId, incarnation } = mapping;
  const columns = await tables.columnsOf(tableId, options);
  if (columns === undefined) return { misfit: tableNotFound(tableId) };
  const expected = namesOf(mapping);
  const mismatch = columnMismatch({ tableId, expected, found: namedColumns(columns) });
  if (mapping.version === inUse && mismatch === undefined) return {};
  const all = await listDocuments(catalog, { kind: mappingDocuments, prefix: `${progressId(incarnation)}/` }, options);
  const placed = placedIn(columns, { all, mapping, inUse });
  if (placed === 'unknown') return mismatch === undefined ? {} : { misfit: mismatch };
  return { placed };
}

interface Lineage {
  /** Every mapping of the incarnation, also those that were never used. */
  readonly all: readonly Mapping[];
  /** That of the rows. */
  readonly mapping: Mapping;
  /** The version that new rows are made with. */
  readonly inUse: number;
}

/** Where the cells go in a table with these columns; `unknown` when no change that was written down leads to them. */
export function placedIn(columns: readonly string[], lineage: Lineage): PlacedCells | 'unknown' {
  const { all, mapping, inUse } = lineage;
  const used = usedSince(lineage);
  if (used === undefined) return 'unknown';
  let placed = cellsInPlace(namesOf(mapping));
  for (const next of used.filter(({ tableId }) => tableId === mapping.tableId)) {
    if (next.altered === undefined && !areSameColumns(placed.columns, namesOf(next))) return 'unknown';
    placed = placedAfter(placed, namesOf(next), next.altered?.renamed ?? []);
  }
  if (areSameColumns(placed.columns, columns)) return placed;
  // The table has changed, and the mapping that it changed for is about to be used.
  const pending = all.findLast(
    ({ version, follows, tableId, altered, ...rest }) =>
      version > inUse &&
      follows === inUse &&
      tableId === mapping.tableId &&
      altered !== undefined &&
      areSameColumns(namesOf(rest), columns),
  );
  return pending === undefined ? 'unknown' : placedAfter(placed, columns, pending.altered?.renamed ?? []);
}

/** The mappings that were used after this one, in order; undefined when the one in use does not come from it. */
function usedSince({ all, mapping, inUse }: Lineage): readonly Mapping[] | undefined {
  const versions = usedVersions(all, inUse);
  if (!versions.includes(mapping.version)) return undefined;
  const byVersion = new Map(all.map((one) => [one.version, one]));
  return versions
    .filter((version) => version > mapping.version)
    .toReversed()
    .map((version) => byVersion.get(version))
    .filter((one) => one !== undefined);
}

function namesOf({ columns }: Pick<Mapping, 'columns'>): readonly string[] {
  return columns.map(({ name }) => name);
}
