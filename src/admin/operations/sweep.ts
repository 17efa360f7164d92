import { sinkDocumentId, sourceDocumentId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { parseTopicName } from '../../core/topic-name.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { lastHandedOut } from '../../documents/last-handed-out.ts';
import { ApiError } from '../errors/api-error.ts';
import { cascadeClaims, sinkClaims } from '../tasks/claims.ts';
import type { LockClaim } from '../tasks/object-locks.ts';
import { endOrphanedTasks } from '../tasks/old-tasks.ts';
import { discardProgress } from './change-progress.ts';
import { hideSink } from './show-sink.ts';
import { discardIncarnation } from './prepare-sink.ts';
import { discardUnnamedTopics } from './discard-unnamed-topics.ts';
import { settleSource } from './settle.ts';
import { revokeWhenDelivered } from './sink-token.ts';

/**
 * Puts right what a process left half done when it died. Unfinished tasks end in error; incarnations that never became
 * visible are discarded; where a progress document and its sink disagree, the sink follows; sinks follow a source that
 * was being disabled or deleted. Run it when the seat is taken, before operations are accepted; running it again changes nothing.
 */
export async function sweep(context: AdminContext, options: Waiting): Promise<void> {
  await endOrphanedTasks(context, options);
  await discardUnseen(context, options);
  await dropOrphanedSinks(context, options);
  await discardUnnamedTopics(context, (_, work) => work(), options);
  for (const source of await context.definitions.allSources(options)) await settleSource(context, source, options);
  await resumeRevocations(context, options);
}

/**
 * The same for what a process left that died after the sweep, with the seat lost and one write still on its way: each object alone, because
 * operations run beside it. What is being changed is left for another time.
 */
export async function sweepBeside(context: AdminContext, options: Waiting): Promise<void> {
  for (const { key, incarnation, deleted } of await allProgress(context, options)) {
    if (deleted || (await context.definitions.findSink(key, options))?.incarnation === incarnation) continue;
    await unlessBusy(context, sinkClaims(key), async () => {
      const sink = await context.definitions.findSink(key, options);
      if (sink?.incarnation !== incarnation) await discardProgress(context, incarnation, options);
    });
  }
  for (const source of await context.definitions.allSources(options))
    await unlessBusy(context, cascadeClaims(source), () => settleSource(context, source, options));
  await discardUnnamedTopics(context, (key, work) => unlessBusy(context, cascadeClaims(key), work), options);
}

async function unlessBusy(
  { tasks }: AdminContext,
  claims: readonly LockClaim[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await tasks.alone(claims, work);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.api !== 'operationInProgress') throw thrown;
  }
}

async function allProgress({ catalog }: AdminContext, options: Waiting): Promise<readonly SinkProgress[]> {
  return listDocuments(catalog, { kind: progressDocuments }, options);
}

/** Incarnations that no sink names, with a progress document or only with parts of what one needs. */
async function discardUnseen(context: AdminContext, options: Waiting): Promise<void> {
  const known = new Set<number>();
  for (const { key, incarnation, deleted } of await allProgress(context, options)) {
    known.add(incarnation);
    const sink = await context.definitions.findSink(key, options);
    if (!deleted && sink?.incarnation !== incarnation) await discardProgress(context, incarnation, options);
  }
  const last = await lastHandedOut(context.catalog, options);
  for (const topic of await context.sinkLog.listTopics('sink.', options)) {
    const parsed = parseTopicName(topic);
    if (parsed?.kind !== 'sink' || known.has(parsed.incarnation) || parsed.incarnation > last) continue;
    // Whose incarnation was listed before this has no right to go on with it.
    await context.seat.assertHeld(options);
    // Nobody waits for it: it stays until the stores are known to be this installation's.
    if (!(await areOurs(context, options))) return;
    await discardIncarnation(context, { incarnation: parsed.incarnation, topic }, options);
  }
}

async function areOurs({ ownership }: AdminContext, options: Waiting): Promise<boolean> {
  return (await ownership.isOurs('tables', options)) && (await ownership.isOurs('sink-log', options));
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
