import { sinkDocumentId, sourceDocumentId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { takesEvents } from '../../core/takes-events.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { parseTopicName } from '../../core/topic-name.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { listIds, listReadable, type ReadableDocuments } from '../../documents/list-documents.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import { tokenDocuments } from '../../documents/token-document.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { Source } from '../../core/source.ts';
import { lastHandedOut } from '../../documents/last-handed-out.ts';
import { cascadeClaims, sinkClaims } from '../tasks/claims.ts';
import { endOrphanedTasks } from '../tasks/old-tasks.ts';
import { discardProgress } from './change-progress.ts';
import { hideSink } from './show-sink.ts';
import { discardIncarnation, type PrepareSinkParts } from './prepare-sink.ts';
import { discardUnnamedTopics } from './discard-unnamed-topics.ts';
import { settleSource, type SettleParts } from './settle.ts';
import { revokeWhenDelivered } from './sink-token.ts';
import { unlessBusy } from './unless-busy.ts';
import { unlessUnusable } from '../store/unless-unusable.ts';

type SweepParts = SettleParts & PrepareSinkParts;

/**
 * Puts right what a process left half done when it died. Unfinished tasks end in error; incarnations that never became
 * visible are discarded; where a progress document and its sink disagree, the sink follows; sinks follow a source that
 * was being disabled or deleted. Run it when the seat is taken, before operations are accepted; running it again changes nothing.
 */
export async function sweep(parts: SweepParts, options: Waiting): Promise<void> {
  await endOrphanedTasks(parts, options);
  await discardUnseen(parts, options);
  await dropOrphanedSinks(parts, options);
  await discardUnnamedTopics(parts, (_, work) => work(), options);
  for (const source of await readableSources(parts, options))
    await unlessUnusable(parts, nameOf(source), () => settleSource(parts, source, options));
  await resumeRevocations(parts, options);
}

/**
 * The same for a process that died after the sweep, when it had lost the seat and one write was still on its way. Each
 * object is swept alone, because operations run beside it; one that is being changed is left for another time.
 */
export async function sweepBeside(parts: SweepParts, options: Waiting): Promise<void> {
  const { documents } = await allProgress(parts, options);
  for (const { key, incarnation, deleted } of documents)
    await unlessUnusable(parts, { incarnation }, async () => {
      if (deleted || (await parts.definitions.findSink(key, options))?.incarnation === incarnation) return;
      await unlessBusy(parts, sinkClaims(key), async () => {
        const sink = await parts.definitions.findSink(key, options);
        if (sink?.incarnation !== incarnation) await discardProgress(parts, incarnation, options);
      });
    });
  for (const source of await readableSources(parts, options))
    await unlessUnusable(parts, nameOf(source), () =>
      unlessBusy(parts, cascadeClaims(source), () => settleSource(parts, source, options)),
    );
  await discardUnnamedTopics(parts, (key, work) => unlessBusy(parts, cascadeClaims(key), work), options);
}

function allProgress({ catalog }: Pick<Parts, 'catalog'>, options: Waiting): Promise<ReadableDocuments<SinkProgress>> {
  return listReadable(catalog, { kind: progressDocuments }, options);
}

async function readableSources({ catalog }: Pick<Parts, 'catalog'>, options: Waiting): Promise<readonly Source[]> {
  return (await listReadable(catalog, { kind: sourceDocuments }, options)).documents;
}

function nameOf({ branchId, sourceId }: SourceKey): { readonly branchId: number; readonly sourceId: string } {
  return { branchId, sourceId };
}

/** Incarnations that no sink names, with a progress document or only with parts of what one needs. */
async function discardUnseen(parts: SweepParts, options: Waiting): Promise<void> {
  const { documents, unread } = await allProgress(parts, options);
  const known = new Set<number>(unread.map(({ id }) => Number(id)));
  for (const { key, incarnation, deleted } of documents) {
    known.add(incarnation);
    await unlessUnusable(parts, { incarnation }, async () => {
      const sink = await parts.definitions.findSink(key, options);
      if (!deleted && sink?.incarnation !== incarnation) await discardProgress(parts, incarnation, options);
    });
  }
  const last = await lastHandedOut(parts.catalog, options);
  for (const topic of await parts.sinkLog.listTopics('sink.', options)) {
    const parsed = parseTopicName(topic);
    if (parsed?.kind !== 'sink' || known.has(parsed.incarnation) || parsed.incarnation > last) continue;
    // Whose incarnation was listed before this has no right to go on with it.
    await parts.seat.assertHeld(options);
    // Nobody waits for it: it stays until the stores are known to be this installation's.
    if (!(await areOurs(parts, options))) return;
    await discardIncarnation(parts, { incarnation: parsed.incarnation, topic }, options);
  }
}

async function areOurs({ ownership }: Pick<Parts, 'ownership'>, options: Waiting): Promise<boolean> {
  return (await ownership.isOurs('tables', options)) && (await ownership.isOurs('sink-log', options));
}

/** Sinks of a "create source" that did not get as far as the source. */
async function dropOrphanedSinks(parts: SweepParts, options: Waiting): Promise<void> {
  const { catalog } = parts;
  const sources = new Set(await listIds(catalog, { collection: 'source', prefix: '' }, options));
  const { documents } = await listReadable(catalog, { kind: sinkDocuments }, options);
  for (const sink of documents) {
    if (sources.has(sourceDocumentId(sink))) continue;
    await unlessUnusable(parts, { incarnation: sink.incarnation }, async () => {
      await discardProgress(parts, sink.incarnation, options);
      await hideSink(parts, { sink, before: undefined }, options);
    });
  }
}

/** Tokens of closed sinks, and of sinks that are not there, wait again for their last import. */
async function resumeRevocations(parts: SweepParts, options: Waiting): Promise<void> {
  const { catalog } = parts;
  const { documents } = await listReadable(catalog, { kind: sinkDocuments }, options);
  const sinks = new Map(documents.map((sink) => [sinkDocumentId(sink), sink]));
  const tokens = await listReadable(catalog, { kind: tokenDocuments }, options);
  for (const { id, scope } of tokens.documents) {
    if (scope.kind !== 'sink') continue;
    // One whose sink cannot be read waits until it can be.
    const sink = sinks.get(sinkDocumentId(scope.sink));
    if (sink?.tokenId === id && takesEvents(sink)) continue;
    revokeWhenDelivered(parts, { key: scope.sink, incarnation: scope.incarnation, tokenId: id });
  }
}
