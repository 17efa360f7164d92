import { MillraceError } from '../millrace-error.ts';
import { isAttempt } from './import.ts';
import type { LoadedCounts } from './ledger.ts';
import { isSamePlace, runs, withPassed } from './replay-order.ts';
import { outrun } from './seal.ts';
import {
  outdated,
  refused,
  totalsOf,
  type ImportAttempt,
  type PartitionTotals,
  type Refused,
  type Replay,
  type ReplayedLetters,
  type RunningReplay,
  type SinkProgress,
} from './sink-progress.ts';
import { importedStatistics, withImported } from './statistics.ts';

/** Dead letters that the mapping in use takes, made ready to be replayed. */
export interface ReplayBatch extends Omit<RunningReplay, 'number' | 'startedAt'> {
  readonly at: number;
  /** Where the replay stood when its letters were read. */
  readonly from: Replay['after'];
  /** When the names of its objects were made, milliseconds since the epoch. */
  readonly stamp: number;
}

/**
 * Starts an import that puts rows in the place of dead letters, under the next number. Refused while an import or another one of these
 * runs, for a deleted incarnation, when its replay does not run any more, when the stamp lies below the floor, and when a partition has not
 * counted so many dead letters; outdated when the mapping has changed since its rows were made, and when the replay has gone on.
 * `internal.bug` when it names no letter, or rows that it does not have.
 */
export function startReplay(
  progress: SinkProgress,
  { at, stamp, from, ...batch }: ReplayBatch,
): SinkProgress | Refused {
  requireWhole(batch);
  if (progress.deleted) return refused('a deleted incarnation replays nothing');
  if (progress.importing !== undefined || progress.replaying !== undefined) return refused('an import runs');
  if (!runs(progress.replay, batch.replayId)) return refused('the replay does not run any more');
  if (!isSamePlace(progress.replay.after, from)) return outdated('the replay has gone on');
  if (batch.mappingVersion !== progress.mappingVersion) return outdated('the mapping has changed');
  if (stamp < progress.floor) return outrun(stamp, progress.floor);
  for (const [partition, { rows, filtered }] of Object.entries(batch.letters)) {
    const { dead } = totalsOf(progress, Number(partition));
    if (rows + filtered > dead)
      return refused(
        `partition ${partition} has counted ${dead} dead letters, fewer than the ${rows + filtered} found`,
      );
  }
  return { ...progress, replaying: { ...batch, number: progress.nextImport, startedAt: at } };
}

function requireWhole({ id, letters, rowsObject }: Pick<RunningReplay, 'id' | 'letters' | 'rowsObject'>): void {
  const { rows, dead } = replayedCounts({ letters });
  if (dead < 0 && rows > 0 === (rowsObject !== undefined)) return;
  throw new MillraceError(
    'internal.bug',
    `replay ${id} names ${-dead} letters and ${rows} rows, and does not fit them`,
  );
}

/** What the ledger counts when the replay is loaded: the rows that come, and below 0 the dead letters that go. */
export function replayedCounts({ letters }: Pick<RunningReplay, 'letters'>): LoadedCounts {
  const { rows, filtered } = sumLetters(letters);
  return { rows, dead: -(rows + filtered) };
}

function sumLetters(letters: RunningReplay['letters']): Pick<ReplayedLetters, 'rows' | 'filtered'> {
  let [rows, filtered] = [0, 0];
  for (const one of Object.values(letters)) {
    rows += one.rows;
    filtered += one.filtered;
  }
  return { rows, filtered };
}

/**
 * The ledger says `loaded`: the letters are counted as what they became, and dead no more, so that the sum of a partition stays. Refused
 * for another attempt.
 */
export function finishReplay(progress: SinkProgress, attempt: ImportAttempt): SinkProgress | Refused {
  const { replaying, ...rest } = progress;
  if (replaying === undefined || !isAttempt(replaying, attempt)) return outdated('another replay, or none, runs');
  const totals: Record<string, PartitionTotals> = { ...progress.totals };
  for (const [partition, { rows, filtered }] of Object.entries(replaying.letters)) {
    const before = totalsOf(progress, Number(partition));
    totals[partition] = {
      ...before,
      rows: before.rows + rows,
      filtered: before.filtered + filtered,
      dead: before.dead - rows - filtered,
    };
  }
  const imported = withImported(importedStatistics(progress), [{ ...replaying, ...replayedCounts(replaying) }]);
  return { ...rest, totals, nextImport: replaying.number + 1, imported, ...withBatch(progress, replaying) };
}

/** Counts a batch in its replay, which may have been stopped meanwhile; another replay counts nothing of it. */
function withBatch(
  { replay }: SinkProgress,
  { replayId, passed, letters }: RunningReplay,
): Pick<SinkProgress, 'replay'> {
  if (replay?.id !== replayId) return {};
  const { rows, filtered } = sumLetters(letters);
  const before = withPassed(replay, passed);
  const counts = { ...before.counts, rows: before.counts.rows + rows, filtered: before.counts.filtered + filtered };
  return { replay: { ...before, counts, batches: before.batches + 1, abandoned: 0 } };
}

/** The ledger says `abandoned`: the letters stay as they are, and the next number is one higher. Refused for another attempt. */
export function abandonReplay(progress: SinkProgress, attempt: ImportAttempt): SinkProgress | Refused {
  const { replaying, ...rest } = progress;
  if (replaying === undefined || !isAttempt(replaying, attempt)) return outdated('another replay, or none, runs');
  const { replay } = progress;
  const isOwn = replay?.id === replaying.replayId;
  const counted = isOwn ? { replay: { ...replay, abandoned: replay.abandoned + 1 } } : {};
  return { ...rest, nextImport: replaying.number + 1, ...counted };
}

/**
 * Whether the letters that a replay names were all there, each once, and are gone now in its transaction. Else somebody has replayed or
 * purged some of them since they were read, and nothing of it may be loaded.
 */
export function hasTakenAll({ named, deleted }: { readonly named: number; readonly deleted: number }): boolean {
  return deleted === named;
}
