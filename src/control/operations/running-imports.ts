import { mappingId, progressId } from '../../documents/document-id.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { readDocument, requireDocument } from '../../documents/read-document.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { ImportAttempt, SinkProgress } from '../../core/progress/sink-progress.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ImportLedger } from '../../ports/import-ledger.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** An import, or a replay of dead letters, that runs by the document of its incarnation. */
export interface RunningImportOf {
  readonly incarnation: Incarnation;
  readonly attempt: ImportAttempt;
  readonly tableId: TableId;
}

/** Those of the sinks that are asked for. */
export async function runningImports(
  catalog: Catalog,
  isAsked: (key: SinkKey) => boolean,
  options: Waiting,
): Promise<readonly RunningImportOf[]> {
  const found: RunningImportOf[] = [];
  for (const progress of await listDocuments(catalog, { kind: progressDocuments }, options)) {
    if (!isAsked(progress.key)) continue;
    const { incarnation } = progress;
    for (const { version, attempt } of attemptsOf(progress)) {
      const tableId = await tableOf(catalog, { incarnation, version }, options);
      if (tableId !== undefined) found.push({ incarnation, attempt, tableId });
    }
  }
  return found;
}

/** Undefined when the incarnation has ended meanwhile, with all that ran of it. */
async function tableOf(
  catalog: Catalog,
  { incarnation, version }: { readonly incarnation: Incarnation; readonly version: number },
  options: Waiting,
): Promise<TableId | undefined> {
  const mapping = { kind: mappingDocuments, id: mappingId(incarnation, version) };
  const found = await readDocument(catalog, mapping, options);
  if (found !== undefined) return found.value.tableId;
  const progress = await readDocument(catalog, { kind: progressDocuments, id: progressId(incarnation) }, options);
  return progress && (await requireDocument(catalog, mapping, options)).tableId;
}

function attemptsOf({ importing, replaying }: SinkProgress): readonly { version: number; attempt: ImportAttempt }[] {
  const [first] = importing?.slices ?? [];
  return [
    ...(importing === undefined || first === undefined ? [] : [{ version: first.mappingVersion, attempt: importing }]),
    ...(replaying === undefined ? [] : [{ version: replaying.mappingVersion, attempt: replaying }]),
  ];
}

/** When this resolves it has loaded what it loads, or never will: its importer follows the ledger. */
export async function endImport(
  ledger: Pick<ImportLedger, 'abandon'>,
  { incarnation, attempt: { number, id } }: RunningImportOf,
  options: Waiting,
): Promise<void> {
  try {
    await ledger.abandon(incarnation, { number, id }, options);
  } catch (thrown) {
    // The ledger stands elsewhere, where this import finds no way in either.
    if (MillraceError.fromUnknown(thrown).code !== 'table.ledgerMismatch') throw thrown;
  }
}
