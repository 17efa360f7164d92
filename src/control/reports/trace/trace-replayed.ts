import type { LetterKey } from '../../../core/dead-letter.ts';
import type { ImportNote, NotedReplay } from '../../../core/import-note.ts';
import { holdsOffset } from '../../../core/progress/packed-offsets.ts';
import { replayedCounts } from '../../../core/progress/replay.ts';
import { totalsOf, type Replay, type ReplayedLetters } from '../../../core/progress/sink-progress.ts';
import type { TriedOutcome } from '../../trials/trials.ts';
import { at } from '../why/words.ts';
import { triedOf, type Asked, type PlacedEvent, type Told } from './asked-trace.ts';
import type { SinkTrace, TracedImport, TracedTable } from './sink-trace.ts';
import type { Letter } from './table-witness.ts';
import type { IncarnationFacts, TraceSession } from './trace-session.ts';

/** The batch of a replay that took a dead letter. */
export interface TakenBy {
  readonly replayId: string;
  readonly import: TracedImport;
  /** The document does not count its rows yet. */
  readonly isRunning: boolean;
  readonly mappingVersion: number;
  /** What all of its letters became; undefined: some are rows, some are filtered. */
  readonly becomes: 'row' | 'filtered' | undefined;
}

/**
 * By the batch that runs, or by the history of imports, which knows the last ones. These know offsets: where a record may hold several
 * events, it is this one only if its mapping is known to have refused it. `tried`: what that is known to have made of it.
 */
export function takenBy(
  { progress, notes }: IncarnationFacts,
  event: PlacedEvent,
  tried: TriedOutcome['kind'] | undefined,
): TakenBy | undefined {
  const { replaying } = progress;
  const mayBeOneOfSeveral = (totalsOf(progress, event.partition).unpacked ?? 0) > 0;
  if (tried === undefined ? mayBeOneOfSeveral : tried !== 'dead') return undefined;
  if (replaying !== undefined && isAmong(replaying.letters[event.partition]?.offsets, event)) {
    const { number, startedAt, replayId, mappingVersion, letters } = replaying;
    const { rows, dead } = replayedCounts({ letters });
    const becomes = allBecome(rows, -dead);
    return { replayId, import: { number, at: startedAt }, isRunning: true, mappingVersion, becomes };
  }
  const note = notes.findLast(isOfReplay(event));
  if (note?.replay === undefined) return undefined;
  const { number, finishedAt, mappingVersion, rows, replay } = note;
  const becomes = allBecome(rows, replay.letters);
  return { replayId: replay.id, import: { number, at: finishedAt }, isRunning: false, mappingVersion, becomes };
}

function isOfReplay(event: PlacedEvent): (note: ImportNote) => boolean {
  return ({ verdict, replay }) => verdict === 'loaded' && isAmong(offsetsOf(replay, event), event);
}

function offsetsOf(
  replay: NotedReplay | undefined,
  { partition }: PlacedEvent,
): ReplayedLetters['offsets'] | undefined {
  return replay?.offsets[partition];
}

function isAmong(offsets: ReplayedLetters['offsets'] | undefined, { offset }: PlacedEvent): boolean {
  return offsets !== undefined && holdsOffset(offsets, offset);
}

function allBecome(rows: number, letters: number): TakenBy['becomes'] {
  return rows === letters ? 'row' : rows === 0 ? 'filtered' : undefined;
}

export interface Replayed {
  readonly taken: TakenBy;
  /** How it came into the dead letter table, in words. */
  readonly was: string;
  readonly table: TracedTable | undefined;
  readonly rest: Partial<Told>;
}

/** It was a dead letter, and its table does not have it any more. */
export async function ofReplayed(
  session: TraceSession,
  asked: Asked,
  { taken, was, table, rest }: Replayed,
): Promise<Told> {
  const { replayId: id, import: by, isRunning, mappingVersion, becomes } = taken;
  const known = becomes ?? (await triedOf(session, asked, mappingVersion))?.kind;
  const told = { ...rest, replay: { id, import: by } };
  const counted = isRunning ? `, which runs since ${at(by.at)}` : ` at ${at(by.at)}`;
  const replayed = (what: string): string => `${was} A replay made it ${what}, by import ${by.number}${counted}.`;
  if (known === 'filtered') return { state: 'filtered', text: replayed('nothing: the sink is not for it'), ...told };
  if (known === 'row' || table?.hasRow === true) {
    const gone = ' The table has no row with its id any more: somebody has removed or replaced it.';
    const text = replayed(table === undefined ? 'a row' : `a row of ${table.tableId}`);
    return { state: 'replayed', text: table?.hasRow === false ? text + gone : text, ...told };
  }
  return { state: 'unknown', text: replayed('a row, or nothing: which of these is not known'), ...told };
}

/** What a replay has done with a letter that its table still has, as far as that is certain. */
export function leftBy(
  { progress: { replay } }: IncarnationFacts,
  letter: Letter,
  loadedBy: SinkTrace['import'],
): { readonly text: string; readonly replay?: { readonly id: string } } {
  if (replay === undefined || loadedBy === undefined || loadedBy.number >= replay.nextImport) return { text: '' };
  if (replay.after === undefined || isBehind(letter, replay.after) || !isMeant(letter, replay)) return { text: '' };
  const text =
    ` The replay that was asked for at ${at(replay.askedAt)} looked at it and left it: it was refused again,` +
    ' or does not keep all of its event.';
  return { text, replay: { id: replay.id } };
}

/** In the order in which a replay reads. */
function isBehind(letter: LetterKey, place: LetterKey): boolean {
  if (letter.partition !== place.partition) return letter.partition > place.partition;
  if (letter.offset !== place.offset) return letter.offset > place.offset;
  return letter.eventId > place.eventId;
}

function isMeant(letter: Letter, { filter: { reason, column, eventId, since, until } }: Replay): boolean {
  return (
    (reason === undefined || letter.reason === reason) &&
    (column === undefined || letter.column === column) &&
    (eventId === undefined || letter.eventId === eventId) &&
    (since === undefined || letter.arrivedAt >= since) &&
    (until === undefined || letter.arrivedAt < until)
  );
}
