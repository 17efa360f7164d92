import type { DeadLetterFilter } from '../../core/dead-letter.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { askReplay, stopReplay } from '../../core/progress/replay-order.ts';
import { isRefused, type Refused, type Replay, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { progressId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { Sink } from '../../core/sink.ts';
import { filteredLetters } from '../../mapping/filtered-letters.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';
import { randomText } from '../store/random-text.ts';
import { askedFilter } from './asked-filter.ts';

type ReplayParts = Pick<Parts, 'catalog' | 'clock' | 'definitions' | 'pages' | 'random'>;

export interface AskedReplay {
  readonly key: SinkKey;
  readonly filter: DeadLetterFilter;
  /** Look at so many letters at most. */
  readonly limit?: number;
  readonly change: Change;
}

/**
 * Asks for a replay of dead letters of a sink through the mapping in use: those of events that arrived before now, and of this incarnation,
 * because the accounts of earlier ones are closed: their letters are counted apart. The importer of the sink goes on with it, whatever
 * is killed. `input.invalid` while one runs; `sink.notFound`.
 */
export async function replayLetters(
  parts: ReplayParts,
  { key, filter, limit, change }: AskedReplay,
  options: Waiting,
): Promise<Replay> {
  const sink = await parts.definitions.sink(key, options);
  const { branchId, sourceId, sinkId, incarnation } = sink;
  const at = parts.clock.now();
  const asked = await askedFilter(parts, { incarnation, filter }, options);
  const { matching, earlier } = await countMatching(parts, { sink, filter: asked }, options);
  await change.begin({ kind: 'sink', branchId, sourceId, sinkId }, options);
  const id = randomText(parts.random, 16);
  const order = {
    id,
    filter: asked,
    matching,
    at,
    ...(earlier > 0 && { earlier }),
    ...(limit !== undefined && { limit }),
  };
  return transit(parts, { incarnation, transition: (progress) => askReplay(progress, order) }, options);
}

/** Begins no batch more; the one that runs is finished. `input.invalid` when none runs. */
export async function stopReplayOf(
  parts: ReplayParts,
  { key, change }: Pick<AskedReplay, 'key' | 'change'>,
  options: Waiting,
): Promise<Replay> {
  const { branchId, sourceId, sinkId, incarnation } = await parts.definitions.sink(key, options);
  await change.begin({ kind: 'sink', branchId, sourceId, sinkId }, options);
  const at = parts.clock.now();
  return transit(parts, { incarnation, transition: (progress) => stopReplay(progress, { at }) }, options);
}

/** The last replay of a sink as it stands; undefined when there was none. */
export async function readReplay(
  { definitions }: Pick<Parts, 'definitions'>,
  key: SinkKey,
  options: Waiting,
): Promise<Replay | undefined> {
  const { incarnation } = await definitions.sink(key, options);
  return (await definitions.progress(incarnation, options))?.replay;
}

type Transition = (progress: SinkProgress) => SinkProgress | Refused;

async function transit(
  { catalog }: Pick<Parts, 'catalog'>,
  { incarnation, transition }: { readonly incarnation: Incarnation; readonly transition: Transition },
  options: Waiting,
): Promise<Replay> {
  const change = (before: SinkProgress | undefined): SinkProgress | undefined => {
    if (before === undefined) return undefined;
    const after = transition(before);
    if (isRefused(after)) throw new MillraceError('input.invalid', after.reason);
    return after;
  };
  const id = progressId(incarnation);
  const replay = (await changeDocument(catalog, { kind: progressDocuments, id, change }, options))?.value.replay;
  if (replay === undefined) throw new MillraceError('sink.deleted', 'the sink is gone');
  return replay;
}

export interface MatchingLetters {
  /** Letters that a replay would look at. */
  readonly matching: number;
  /** Letters that the filter takes and a replay does not: earlier incarnations of the sink left them. */
  readonly earlier: number;
}

/** How many letters of a sink the filter takes. */
export async function countMatching(
  { definitions, pages }: Pick<Parts, 'definitions' | 'pages'>,
  { sink, filter }: { readonly sink: Sink; readonly filter: DeadLetterFilter },
  options: Waiting,
): Promise<MatchingLetters> {
  const count = async (incarnations: readonly Incarnation[]): Promise<number> => {
    if (incarnations.length === 0) return 0;
    const where = [{ column: 'incarnation', values: incarnations.map(String) }, ...filteredLetters(filter)];
    try {
      const [all] = await pages.countRows(deadLetterTable, { by: [], where, limit: 1 }, options);
      return all?.rows ?? 0;
    } catch (thrown) {
      if (thrown instanceof MillraceError && thrown.code === 'table.notFound') return 0;
      throw thrown;
    }
  };
  const before = await definitions.earlierOf(sink, options);
  return {
    matching: await count([sink.incarnation]),
    earlier: await count(before.map(({ incarnation }) => incarnation)),
  };
}
