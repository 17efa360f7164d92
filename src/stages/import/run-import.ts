import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../core/clock.ts';
import { mappingId } from '../../documents/document-id.ts';
import { requireDocument } from '../../documents/read-document.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { Mapping } from '../../core/mapping.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { abandonImport, finishImport } from '../../core/progress/import.ts';
import {
  refused,
  type RunningImport,
  type SinkProgress,
  type StagedObject,
  type StagedSlice,
} from '../../core/progress/sink-progress.ts';
import { sumSlices } from '../../core/progress/slice-sum.ts';
import { importedCounts } from '../../core/progress/statistics.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { ImportLedger, ImportRequest, LedgerRow } from '../../ports/import-ledger.ts';
import { decidedVerdict } from '../../core/progress/ledger.ts';
import type { TableId } from '../../core/table-id.ts';
import { fitOf } from './table-fit.ts';
import { readProgress, transit } from '../replica/progress-document.ts';

export interface ImportPorts {
  readonly catalog: Catalog;
  readonly objects: ObjectStore;
  readonly ledger: ImportLedger;
  readonly tables: Pick<Tables, 'columnsOf'>;
  readonly clock: Clock;
}

/** The mapping that made the rows of a slice. `catalog.invalidDocument` when it is gone: it is kept as long as a slice names it. */
export function mappingOf(
  catalog: Catalog,
  at: { readonly incarnation: Incarnation; readonly version: number },
  options: Waiting,
): Promise<Mapping> {
  return requireDocument(catalog, { kind: mappingDocuments, id: mappingId(at.incarnation, at.version) }, options);
}

/** How a running import ended; `superseded`: another process has dealt with it. */
export interface Ended {
  readonly verdict: 'loaded' | 'abandoned' | 'superseded';
  readonly tableId: TableId;
}

/** An import that runs by the document. */
export interface RunningOf {
  readonly progress: SinkProgress;
  readonly running: RunningImport;
  /** Called when the ledger has decided, before the document says so; it may be called again for the same import. */
  readonly onVerdict: (verdict: LedgerRow['verdict']) => void;
}

/**
 * Loads a running import and makes the document forget it, or follows the ledger's verdict when another process did. The set
 * of slices never changes while it runs, so whoever calls this with the same import loads the same rows, once.
 */
export async function runImport(
  ports: ImportPorts,
  { progress, running, onVerdict }: RunningOf,
  options: Waiting,
): Promise<Ended> {
  const { incarnation } = progress;
  const { slices } = running;
  const mapping = await mappingOf(ports.catalog, { incarnation, version: slices[0]?.mappingVersion ?? 0 }, options);
  const { tableId } = mapping;
  let verdict: Ended['verdict'];
  try {
    verdict = await load(ports, { progress, running, mapping }, options);
  } catch (thrown) {
    if (await isStillRunning(ports.catalog, { incarnation, running }, options)) throw thrown;
    return { verdict: 'superseded', tableId };
  }
  onVerdict(verdict);
  const at = ports.clock.now();
  const transition = (document: SinkProgress) =>
    verdict === 'loaded' ? finishImport(document, running, at) : abandonImport(document, running);
  const after = await transit(ports.catalog, incarnation, { transition, ...options });
  return { verdict: after?.applied === true ? verdict : 'superseded', tableId };
}

/** False when another process has brought the import to its end: that is why it cannot be loaded any more. */
async function isStillRunning(
  catalog: Catalog,
  { incarnation, running }: { readonly incarnation: Incarnation; readonly running: RunningImport },
  { signal }: Waiting,
): Promise<boolean> {
  const found = await transit(catalog, incarnation, { transition: () => refused('only read'), signal });
  const now = found?.value.importing;
  return now?.number === running.number && now.id === running.id;
}

async function load(
  ports: ImportPorts,
  { progress, running, mapping }: Pick<RunningOf, 'progress' | 'running'> & { readonly mapping: Mapping },
  options: Waiting,
): Promise<'loaded' | 'abandoned'> {
  const { objects, ledger } = ports;
  const { number, id, slices } = running;
  const { incarnation, tableId } = mapping;
  const row = await ledger.readLedger(incarnation, options);
  // Before anything else is looked at: after a restore the objects may be gone, too, and would hide the reason.
  const verdict = decidedVerdict(incarnation, row, { number, id });
  if (verdict !== undefined) return verdict;
  const content = (pick: (slice: StagedSlice) => StagedObject | undefined): Promise<readonly CsvContent[]> =>
    Promise.all(
      slices
        .map(pick)
        .filter((object) => object !== undefined)
        .map((object) => csvContent(objects, object, options)),
    );
  const { rows, dead } = sumSlices(slices);
  const request = {
    incarnation,
    number,
    id,
    tableId,
    columns: mapping.columns.map(({ name }) => name),
    rows: await content((slice) => slice.rowsObject),
    dead: await content((slice) => slice.deadObject),
    expected: { rows, dead },
    before: importedCounts(progress),
  };
  return importPlaced(ports, { progress, mapping, request }, options);
}

interface PlacedImport {
  readonly progress: SinkProgress;
  readonly mapping: Mapping;
  readonly request: ImportRequest;
}

/**
 * Rows of the mapping in use have the columns of the table, unless those have changed a moment ago: that is looked at when the store says
 * so, before which it loads nothing. Where rows of an earlier one go is looked at first, because a column may have the name of another.
 * The columns may change again behind each look; rows that still belong into the places that the store refused do not fit.
 */
export async function importPlaced(
  ports: Pick<ImportPorts, 'catalog' | 'ledger' | 'tables'>,
  { progress, mapping, request }: PlacedImport,
  options: Waiting,
): Promise<'loaded' | 'abandoned'> {
  const inPlace = async (known: SinkProgress): Promise<ImportRequest> => {
    const { misfit, placed } = await fitOf(ports, { progress: known, mapping }, options);
    if (misfit !== undefined) throw misfit;
    return placed === undefined ? request : { ...request, placed };
  };
  let asked = mapping.version === progress.mappingVersion ? request : await inPlace(progress);
  for (;;) {
    try {
      return await ports.ledger.import(asked, options);
    } catch (thrown) {
      if (MillraceError.fromUnknown(thrown).code !== 'table.schemaMismatch') throw thrown;
      const now = await readProgress(ports.catalog, mapping.incarnation, options);
      const { placed: refused } = asked;
      asked = await inPlace(now?.value ?? progress);
      if (isDeepStrictEqual(asked.placed, refused)) throw thrown;
    }
  }
}

/** A staged object, as a table store reads it. */
export async function csvContent(objects: ObjectStore, object: StagedObject, options: Waiting): Promise<CsvContent> {
  const { name } = object;
  return {
    ...object,
    localPath: await objects.localPath(name, options),
    open: (waiting) => objects.get(name, waiting),
  };
}

/** Gives a running import up: the ledger first, then the document, following the ledger when the import had been loaded after all. */
export async function giveImportUp(
  { catalog, ledger, clock }: ImportPorts,
  { progress, running, onVerdict }: RunningOf,
  { signal }: Waiting,
): Promise<void> {
  const { number, id } = running;
  const verdict = await ledger.abandon(progress.incarnation, { number, id }, { signal });
  onVerdict(verdict);
  const at = clock.now();
  const transition = (document: SinkProgress) =>
    verdict === 'loaded' ? finishImport(document, running, at) : abandonImport(document, running);
  await transit(catalog, progress.incarnation, { transition, signal });
}
