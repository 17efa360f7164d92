import { isDeepStrictEqual } from 'node:util';
import { progressId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { Incarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { isRefused, type Refused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Ends, SourceEnds } from '../../core/progress/source-ends.ts';
import { changeMapping, close, erase, open } from '../../core/progress/switch.ts';
import { closedEnds, requestFlush, requestRest } from '../../core/progress/flush.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { readKnownEnds } from '../ends/read-ends.ts';
import { LastEnds } from '../ends/last-ends.ts';

export type ChangeProgressParts = Pick<Parts, 'catalog' | 'sinkLog' | 'sourceLog'>;

type TransitionAtEnds = (progress: SinkProgress, ends: SourceEnds) => SinkProgress | Refused | undefined;

interface Change {
  readonly incarnation: Incarnation;
  readonly transition: TransitionAtEnds;
  /** The incarnation ends for good: also when its source topic is lost. */
  readonly forGood?: boolean;
}

/**
 * Applies a transition that needs ends: reads the document, then the ends, then writes on that very revision, and
 * starts over otherwise. Answers the document as it stands, undefined when it is gone.
 */
async function transitAtEnds(
  parts: ChangeProgressParts,
  { incarnation, transition, forGood = false }: Change,
  options: Waiting,
): Promise<SinkProgress | undefined> {
  const lastEnds = new LastEnds(parts);
  const endsOf = (before: SinkProgress): Promise<SourceEnds> =>
    forGood ? lastEnds.read(before, options) : readKnownEnds(parts.sourceLog, before.topics, options);
  const change = async (before: SinkProgress | undefined): Promise<SinkProgress | undefined> => {
    if (before === undefined) return undefined;
    const after = transition(before, await endsOf(before));
    if (after !== undefined && isRefused(after)) throw new MillraceError('input.invalid', after.reason);
    return after;
  };
  const id = progressId(incarnation);
  return (await changeDocument(parts.catalog, { kind: progressDocuments, id, change }, options))?.value;
}

/**
 * Ends the sink's events here. Does nothing to one that is closed already, or gone. A source topic that is lost keeps no sink from being
 * deleted.
 */
export function closeProgress(
  parts: ChangeProgressParts,
  { incarnation, deleted }: { readonly incarnation: Incarnation; readonly deleted: boolean },
  options: Waiting,
): Promise<SinkProgress | undefined> {
  const transition: TransitionAtEnds = (progress, ends) =>
    progress.open || (deleted && !progress.deleted) ? close(progress, ends, { deleted }) : undefined;
  return transitAtEnds(parts, { incarnation, transition, forGood: deleted }, options);
}

/** Ends an incarnation for good whose tables are about to be dropped; what it has for others is delivered at once. */
export async function eraseProgress(
  parts: ChangeProgressParts,
  { incarnation, tables }: { readonly incarnation: Incarnation; readonly tables: readonly TableId[] },
  options: Waiting,
): Promise<void> {
  const transition: TransitionAtEnds = (progress, ends) => {
    const isErased = progress.deleted && tables.every((tableId) => progress.dropped?.includes(tableId));
    return isErased && progress.dropped !== undefined ? undefined : erase(progress, ends, tables);
  };
  await transitAtEnds(parts, { incarnation, transition, forGood: true }, options);
}

/** Lets the sink take events from here on. Past the limit of intervals: refused with a sentence. */
export function openProgress(
  parts: ChangeProgressParts,
  incarnation: Incarnation,
  options: Waiting,
): Promise<SinkProgress | undefined> {
  const transition: TransitionAtEnds = (progress, ends) => (progress.open ? undefined : open(progress, ends));
  return transitAtEnds(parts, { incarnation, transition }, options);
}

/**
 * Asks a deleted incarnation to deliver what it still has without waiting for triggers, whatever became of its source
 * topic; answers its ends. One that was deleted by this release has been asked already.
 */
export async function flushRest(
  { catalog }: Pick<Parts, 'catalog'>,
  incarnation: Incarnation,
  options: Waiting,
): Promise<Ends> {
  const id = progressId(incarnation);
  const change = (before: SinkProgress | undefined): SinkProgress | undefined => {
    const after = before?.deleted === true ? requestRest(before) : before;
    return isDeepStrictEqual(after, before) ? undefined : after;
  };
  const left = await changeDocument(catalog, { kind: progressDocuments, id, change }, options);
  return left === undefined ? new Map() : closedEnds(left.value);
}

/** Asks stage and import to deliver without waiting for triggers; answers the ends that it asked for. */
export async function flushProgress(
  parts: ChangeProgressParts,
  incarnation: Incarnation,
  options: Waiting,
): Promise<Ends> {
  let asked: Ends = new Map();
  const transition: TransitionAtEnds = (progress, { durable }) => {
    asked = durable;
    return requestFlush(progress, durable);
  };
  await transitAtEnds(parts, { incarnation, transition }, options);
  return asked;
}

/** New outcomes are made with this mapping version; does nothing when the document names it or a later one. */
export async function changeProgressMapping(
  { catalog, clock }: Pick<Parts, 'catalog' | 'clock'>,
  { incarnation, version }: { readonly incarnation: Incarnation; readonly version: number },
  options: Waiting,
): Promise<void> {
  const at = clock.now();
  const change = (before: SinkProgress | undefined): SinkProgress | undefined => {
    if (before === undefined || before.mappingVersion >= version) return undefined;
    const after = changeMapping(before, { mappingVersion: version, at });
    return isRefused(after) ? undefined : after;
  };
  const id = progressId(incarnation);
  await changeDocument(catalog, { kind: progressDocuments, id, change }, options);
}

/**
 * Ends an incarnation that never became visible where it stands, so that nothing more of it is wanted; the import then
 * removes the document, topic, ledger row and mappings as it does for every deleted incarnation.
 */
export async function discardProgress(
  { catalog }: Pick<Parts, 'catalog'>,
  incarnation: Incarnation,
  options: Waiting,
): Promise<boolean> {
  const change = (before: SinkProgress | undefined): SinkProgress | undefined => {
    if (before === undefined || before.deleted) return undefined;
    const passed = new Map(
      Object.entries(before.entries).map(
        ([partition, { source, intervals }]) =>
          [Number(partition), Math.max(source + 1, intervals.at(-1)?.start ?? 0)] as const,
      ),
    );
    const after = close(before, { stable: passed, durable: passed }, { deleted: true });
    return isRefused(after) ? undefined : after;
  };
  const id = progressId(incarnation);
  const left = await changeDocument(catalog, { kind: progressDocuments, id, change }, options);
  return left !== undefined;
}
