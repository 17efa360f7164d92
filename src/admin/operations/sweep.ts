import { parseMappingDocument } from '../../core/documents/mapping-document.ts';
import { mappingId, sinkDocumentId, sourceDocumentId } from '../../core/documents/document-id.ts';
import { parseProgressDocument } from '../../core/documents/progress-document.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source, Stamp } from '../../core/source.ts';
import { parseTopicName } from '../../core/topic-name.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { listDocuments } from '../store/list-documents.ts';
import { changeSink } from '../store/write-document.ts';
import { endOrphanedTasks } from '../tasks/old-tasks.ts';
import { discardProgress } from './change-progress.ts';
import { hideSink } from './create-source.ts';
import { discardIncarnation } from './prepare-sink.ts';
import { revokeWhenDelivered, tokenForRest } from './sink-token.ts';
import { stampNow } from './stamp-now.ts';
import { deleteSinksOf, disableSinksOf } from './switch-source.ts';
import { disabledSink } from './switch-sink.ts';
import { followingVersion, keepSinkVersion, sinkDefinition } from './version-of.ts';

/**
 * Puts right what a process left half done when it died. Unfinished tasks end in error; incarnations that never became
 * visible are discarded; where a progress document and its sink disagree, the sink follows, because the progress
 * document decides; sinks follow a source that was being disabled or deleted. Run it before operations are accepted;
 * running it again changes nothing.
 */
export async function sweep(context: AdminContext, options: Waiting): Promise<void> {
  await endOrphanedTasks(context, options);
  await discardUnseen(context, options);
  await dropOrphanedSinks(context, options);
  const stamp = stampNow(context, { type: 'system' });
  for (const progress of await allProgress(context, options)) await follow(context, { progress, stamp }, options);
  for (const source of await context.definitions.allSources(options)) {
    if (source.deleted !== undefined) await deleteSinksOf(context, { source, stamp }, options);
    else if (source.disabled !== undefined) await disableSinksOf(context, { source, stamp }, options);
  }
  await resumeRevocations(context, options);
}

async function allProgress({ catalog }: AdminContext, options: Waiting): Promise<readonly SinkProgress[]> {
  const found = await listDocuments(catalog, { collection: 'progress', prefix: '' }, options);
  return found.map(({ value }) => parseProgressDocument(value));
}

/** Incarnations that no sink names, with a progress document or only with parts of what one needs. */
async function discardUnseen(context: AdminContext, options: Waiting): Promise<void> {
  const known = new Set<number>();
  for (const { key, incarnation, deleted } of await allProgress(context, options)) {
    known.add(incarnation);
    const sink = await context.definitions.findSink(key, options);
    if (!deleted && sink?.incarnation !== incarnation) await discardProgress(context, incarnation, options);
  }
  for (const topic of await context.sinkLog.listTopics('sink.', options)) {
    const parsed = parseTopicName(topic);
    if (parsed?.kind === 'sink' && !known.has(parsed.incarnation))
      await discardIncarnation(context, { incarnation: parsed.incarnation, topic }, options);
  }
}

/** Sinks of a "create source" that did not get as far as the source. */
async function dropOrphanedSinks(context: AdminContext, options: Waiting): Promise<void> {
  const sources = new Set((await context.definitions.allSources(options)).map((source) => sourceDocumentId(source)));
  for (const sink of await context.definitions.allSinks(options)) {
    if (sources.has(sourceDocumentId(sink))) continue;
    await discardProgress(context, sink.incarnation, options);
    await hideSink(context, { sink, before: undefined }, options);
  }
}

interface Following {
  readonly progress: SinkProgress;
  readonly stamp: Stamp;
}

/** Brings the sink's document to what its progress document says. */
async function follow(context: AdminContext, { progress, stamp }: Following, options: Waiting): Promise<void> {
  const sink = await context.definitions.findSink(progress.key, options);
  if (sink === undefined || sink.incarnation !== progress.incarnation || sink.deleted !== undefined) return;
  const source = await context.definitions.findSource(progress.key, options);
  let after = await withMapping(context, { sink, progress, stamp }, options);
  if (progress.deleted) after = { ...after, deleted: { ...stamp, withSource: source?.deleted !== undefined } };
  else after = withSwitch(after, { source, open: progress.open, stamp });
  if (after === sink) return;
  after = { ...after, tokenId: await tokenForRest(context, { sink: after, stamp }, options) };
  await keepSinkVersion(context.catalog, after, options);
  await changeSink(context.catalog, { key: progress.key, change: () => after }, options);
}

function withSwitch(
  sink: Sink,
  { source, open, stamp }: { readonly source: Source | undefined; readonly open: boolean; readonly stamp: Stamp },
): Sink {
  if (open === (sink.disabled === undefined)) return sink;
  if (!open) return disabledSink(sink, { stamp, withSource: source?.disabled !== undefined });
  const { disabled: _, ...enabled } = sink;
  return {
    ...enabled,
    version: followingVersion(sink.version, sinkDefinition(sink), { description: 'Enabled.', stamp }),
  };
}

async function withMapping(
  { catalog }: AdminContext,
  { sink, progress, stamp }: Following & { readonly sink: Sink },
  options: Waiting,
): Promise<Sink> {
  const { incarnation, mappingVersion } = progress;
  if (mappingVersion <= sink.mappingVersion) return sink;
  const found = await catalog.get('mapping', mappingId(incarnation, mappingVersion), options);
  if (found === undefined) return sink;
  const { tableId, columns, allowedSignals } = parseMappingDocument(found.value);
  const definition = { ...sink, mappingVersion, allowedSignals, table: { ...sink.table, tableId, columns } };
  const note = { description: 'Updated.', stamp };
  return { ...definition, version: followingVersion(sink.version, sinkDefinition(definition), note) };
}

/** Tokens of closed sinks, and of sinks that are not there, wait again for their last import. */
async function resumeRevocations(context: AdminContext, options: Waiting): Promise<void> {
  const sinks = new Map((await context.definitions.allSinks(options)).map((sink) => [sinkDocumentId(sink), sink]));
  for (const { id, scope } of await context.tokens.list(options)) {
    if (scope.kind !== 'sink') continue;
    const sink = sinks.get(sinkDocumentId(scope.sink));
    if (sink?.tokenId === id && sink.disabled === undefined && sink.deleted === undefined) continue;
    revokeWhenDelivered(context, { key: scope.sink, incarnation: scope.incarnation, tokenId: id });
  }
}
