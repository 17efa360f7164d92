import { bucketOf } from '../../core/bucket.ts';
import { sourcePrefix } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Source } from '../../core/source.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { SeatLost } from '../seat/seat-lost.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { listDocuments, listIds } from '../../documents/list-documents.ts';
import { changeSource } from '../store/write-document.ts';
import { eraseProgress, type ChangeProgressParts } from './change-progress.ts';
import { endImport, runningImports } from './running-imports.ts';
import { revokeWhenDelivered, type SinkTokenParts } from './sink-token.ts';

export type EraseSourceParts = Pick<Parts, 'ownership' | 'seat' | 'tables' | 'ledger'> &
  SinkTokenParts &
  ChangeProgressParts;

/** What could not be removed, and why. */
export interface Leftover {
  readonly name: string;
  readonly reason: string;
}

/**
 * Removes what is left of a source that is marked for erasing. Answers the tables and buckets that could not be
 * removed; they are not tried again. It may be run again at any point. Stages give up what they have for the dropped
 * tables, and remove topics and the rest by themselves.
 */
export async function eraseSource(
  parts: EraseSourceParts,
  source: Source,
  options: Waiting,
): Promise<readonly Leftover[]> {
  const { erased } = source;
  if (erased === undefined || erased.isDone) return [];
  await endIncarnations(parts, source, options);
  const left = await dropTables(parts, source, options);
  await removeDocuments(parts, source, options);
  // A token that a sink shows, and that takes events, is nothing to revoke.
  await revokeTokens(parts, source, options);
  const change = (found: Source | undefined): Source | undefined =>
    found?.erased === undefined || found.incarnation !== source.incarnation
      ? undefined
      : { ...found, name: '', description: '', secrets: [], erased: { ...found.erased, tables: [], isDone: true } };
  await changeSource(parts.catalog, { key: source, change }, options);
  return left;
}

function isOf(source: Source, key: { readonly branchId: number; readonly sourceId: string }): boolean {
  return key.branchId === source.branchId && key.sourceId === source.sourceId;
}

/** Earlier incarnations, too: what they still have for these tables cannot be delivered either. */
async function endIncarnations(parts: EraseSourceParts, source: Source, options: Waiting): Promise<void> {
  const tables = (source.erased?.tables ?? []).map(({ tableId }) => tableId);
  const found = await listDocuments(parts.catalog, { kind: progressDocuments }, options);
  for (const { key, incarnation } of found)
    if (isOf(source, key)) await eraseProgress(parts, { incarnation, tables }, options);
}

/**
 * Tables that sinks of other sources map to by now stay (A42). An import into a dropped one ends before that: it may be under way, and
 * would load into whatever has the name when it arrives. No other one begins: the documents say by now that the table is dropped.
 */
async function dropTables(parts: EraseSourceParts, source: Source, options: Waiting): Promise<readonly Leftover[]> {
  const kept = await tablesOfOthers(parts, source, options);
  const tables = (source.erased?.tables ?? []).filter(({ tableId }) => !kept.has(tableId));
  const running = await runningImports(parts.catalog, (key) => isOf(source, key), options);
  const left: Leftover[] = [];
  for (const { tableId, identity } of tables) {
    const imports = running.filter((one) => one.tableId === tableId);
    if (identity === undefined && imports.length === 0) continue;
    const drop = async (): Promise<void> => {
      for (const one of imports) await endImport(parts.ledger, one, options);
      if (identity !== undefined) await parts.tables.dropTable(tableId, { ...options, identity });
    };
    left.push(...(await attempt(parts, { name: `table "${tableId}"`, drop }, options)));
  }
  const buckets = new Map(tables.map(({ tableId }) => [bucketOf(tableId), tableId]));
  for (const [bucket, tableId] of buckets) {
    const drop = (): Promise<void> => parts.tables.dropBucket(tableId, options);
    left.push(...(await attempt(parts, { name: `bucket "${bucket}"`, drop }, options)));
  }
  return left;
}

/**
 * A process that has lost the seat leaves everything: the heir may have built upon it. So does one that finds the
 * tables to be another installation's.
 */
async function attempt(
  { seat, ownership }: Pick<Parts, 'ownership' | 'seat'>,
  { name, drop }: { readonly name: string; readonly drop: () => Promise<void> },
  options: Waiting,
): Promise<readonly Leftover[]> {
  await seat.assertHeld(options);
  try {
    await ownership.assertOurs('tables', options);
    await drop();
    return [];
  } catch (thrown) {
    if (options.signal.aborted || thrown instanceof SeatLost) throw thrown;
    return [{ name, reason: MillraceError.fromUnknown(thrown).message }];
  }
}

async function revokeTokens(parts: EraseSourceParts, source: Source, options: Waiting): Promise<void> {
  for (const { id, scope } of await parts.tokens.list(options))
    if (scope.kind === 'sink' && isOf(source, scope.sink))
      revokeWhenDelivered(parts, { key: scope.sink, incarnation: scope.incarnation, tokenId: id });
}

async function removeDocuments({ catalog }: Pick<Parts, 'catalog'>, source: Source, options: Waiting): Promise<void> {
  for (const collection of ['sink', 'sink-version', 'source-version', 'earlier-incarnation'] as const)
    for (const id of await listIds(catalog, { collection, prefix: sourcePrefix(source) }, options))
      await removeDocument(catalog, { collection, id }, options);
}

/** Tables that sinks of other sources map to; of deleted ones, too, because they can come back. */
export async function tablesOfOthers(
  { definitions }: Pick<Parts, 'definitions'>,
  source: Source,
  options: Waiting,
): Promise<ReadonlySet<TableId>> {
  const sinks = await definitions.allSinks(options);
  return new Set(sinks.filter((sink) => !isOf(source, sink)).map(({ table }) => table.tableId));
}
