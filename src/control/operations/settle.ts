import { isDeepStrictEqual } from 'node:util';
import { mappingId, sinkVersionId, sourcePrefix } from '../../documents/document-id.ts';
import { sinkVersionDocuments } from '../../documents/version-document.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Sink } from '../../core/sink.ts';
import type { Deleted, Source, Stamp } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { changeSink, rewriteSink } from '../store/write-document.ts';
import { cascadeClaims, sinkClaims } from '../tasks/claims.ts';
import type { LockClaim } from '../tasks/object-locks.ts';
import { finishAltering } from './alter-table.ts';
import { aloneOnBuckets } from './alone-on-buckets.ts';
import { eraseSource, type EraseSourceParts } from './erase-source.ts';
import { endLeftSinks } from './end-left-sinks.ts';
import { tokenForRest } from './sink-token.ts';
import { stampNow } from './stamp-now.ts';
import { unlessUnusable } from '../store/unless-unusable.ts';
import { deletedWith, disabledSink, disableSinksOf } from './switch-sink.ts';
import { followingVersion, keepSinkVersion, sinkDefinition } from '../store/version-of.ts';

export type SettleParts = Pick<Parts, 'clock' | 'tasks' | 'telemetry'> & EraseSourceParts;

/** Runs an operation on a sink; when it fails half way, what it left is settled as soon as the stores answer. */
export function settlingSink<Result>(parts: SettleParts, key: SinkKey, work: () => Promise<Result>): Promise<Result> {
  const settle = (options: Waiting): Promise<void> => settleSink(parts, key, options);
  return settling(
    parts,
    { name: `${key.branchId}/${key.sourceId}/${key.sinkId}`, claims: sinkClaims(key), settle },
    work,
  );
}

/** Runs an operation on a source and its sinks; when it fails half way, what it left is settled likewise. */
export function settlingSource<Result>(
  parts: SettleParts,
  key: SourceKey,
  work: () => Promise<Result>,
): Promise<Result> {
  const settle = (options: Waiting): Promise<void> => settleSource(parts, key, options);
  return settling(parts, { name: `${key.branchId}/${key.sourceId}`, claims: cascadeClaims(key), settle }, work);
}

interface Settling {
  readonly name: string;
  readonly claims: readonly LockClaim[];
  readonly settle: (options: Waiting) => Promise<void>;
}

async function settling<Result>(
  { chores, tasks }: Pick<Parts, 'chores' | 'tasks'>,
  { name, claims, settle }: Settling,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    const attempt = async (options: Waiting): Promise<boolean> => {
      await tasks.alone({ claims }, () => settle(options));
      return true;
    };
    chores.add({ name: `settle ${name}`, attempt });
    throw thrown;
  }
}

/** Brings a source's sinks to what the source says: closed with it, deleted with it. */
export async function settleSource(parts: SettleParts, key: SourceKey, options: Waiting): Promise<void> {
  const source = await parts.definitions.findSource(key, options);
  if (source === undefined) return;
  if (source.erased !== undefined) return finishErasing(parts, source, options);
  const { documents } = await listReadable(parts.catalog, { kind: sinkDocuments, prefix: sourcePrefix(key) }, options);
  for (const sink of documents)
    await unlessUnusable(parts, { incarnation: sink.incarnation }, () => settleSink(parts, sink, options));
  const stamp = stampNow(parts, { type: 'system' });
  if (source.deleted !== undefined) await endLeftSinks(parts, { key, before: source, stamp }, options);
  else if (source.disabled !== undefined) await disableSinksOf(parts, { source, stamp }, options);
}

/** Whoever asked for it is no longer there to be told what could not be removed. */
async function finishErasing(parts: SettleParts, source: Source, options: Waiting): Promise<void> {
  const { erased, branchId, sourceId } = source;
  if (erased?.isDone !== false) {
    const stamp = stampNow(parts, { type: 'system' });
    return endLeftSinks(parts, { key: { branchId, sourceId }, before: undefined, stamp }, options);
  }
  const left = await aloneOnBuckets(
    parts.tasks.serial,
    erased.tables.map(({ tableId }) => tableId),
    () => eraseSource(parts, source, options),
  );
  if (left.length > 0)
    parts.telemetry.log.warn({ branchId, sourceId, left }, 'source deleted, destination resources not removed');
}

/** Brings a sink's document to what its progress document says, because that one decides what is delivered. */
async function settleSink(parts: SettleParts, key: SinkKey, options: Waiting): Promise<void> {
  const sink = await parts.definitions.findSink(key, options);
  if (sink === undefined) return;
  await finishAltering(parts, sink.incarnation, options);
  if (sink.deleted !== undefined) return;
  const progress = await parts.definitions.progress(sink.incarnation, options);
  const source = await parts.definitions.findSource(key, options);
  const stamp = stampNow(parts, { type: 'system' });
  const deleted = source?.deleted === undefined ? { ...stamp, withSource: false } : deletedWith(source, stamp);
  // It was being deleted, and all that it had was delivered before it said so; or it was shown by a process that had lost the seat.
  if (progress === undefined) return markDeleted(parts, { sink, deleted }, options);
  let after = await withMapping(parts, { sink, progress, stamp }, options);
  if (progress.deleted) after = { ...after, deleted };
  else after = withSwitch(after, { source, open: progress.open, stamp });
  if (after === sink) return;
  const settled = { ...after, tokenId: await tokenForRest(parts, { sink: after, stamp }, options) };
  await keepSinkVersion(parts.catalog, settled, options);
  await rewriteSink(parts.catalog, { before: sink, after: settled }, options);
}

async function markDeleted(
  { catalog }: Pick<Parts, 'catalog'>,
  { sink, deleted }: { readonly sink: Sink; readonly deleted: Deleted },
  options: Waiting,
): Promise<void> {
  const change = (found: Sink | undefined): Sink | undefined =>
    found?.incarnation === sink.incarnation ? { ...found, deleted } : undefined;
  await changeSink(catalog, { key: sink, change }, options);
}

function withSwitch(
  sink: Sink,
  { source, open, stamp }: { readonly source: Source | undefined; readonly open: boolean; readonly stamp: Stamp },
): Sink {
  if (open === (sink.disabled === undefined)) return sink;
  if (!open) return disabledSink(sink, { stamp, withSource: source?.disabled !== undefined });
  const { disabled: _, ...enabled } = sink;
  const note = { description: 'Enabled.', stamp };
  return { ...enabled, version: followingVersion(sink.version, sinkDefinition(sink), note) };
}

/** The mapping is in use: the change that it belongs to is completed, with all that was kept of it, or else with the mapping alone. */
async function withMapping(
  { catalog }: Pick<Parts, 'catalog'>,
  { sink, progress, stamp }: { readonly sink: Sink; readonly progress: SinkProgress; readonly stamp: Stamp },
  options: Waiting,
): Promise<Sink> {
  const { incarnation, mappingVersion } = progress;
  if (mappingVersion <= sink.mappingVersion) return sink;
  const mapping = { kind: mappingDocuments, id: mappingId(incarnation, mappingVersion) };
  const found = await readDocument(catalog, mapping, options);
  if (found === undefined) return sink;
  const { tableId, columns, allowedSignals } = found.value;
  const table = { ...sink.table, tableId, columns };
  const next = { kind: sinkVersionDocuments, id: sinkVersionId(sink, sink.version.number + 1) };
  const change = (await readDocument(catalog, next, options))?.value;
  if (
    change !== undefined &&
    isDeepStrictEqual([change.definition.table, change.definition.allowedSignals], [table, allowedSignals])
  )
    return { ...sink, ...change.definition, mappingVersion, version: change.version };
  const definition = { ...sink, mappingVersion, allowedSignals, table };
  const note = { description: 'Updated.', stamp };
  return { ...definition, version: followingVersion(sink.version, sinkDefinition(definition), note) };
}
