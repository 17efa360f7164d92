import { limits } from '../limits.ts';
import type { Offset, Partition } from '../offset.ts';
import { isOpen, nextWanted } from './intervals.ts';
import { MillraceError } from '../millrace-error.ts';
import type { TableId } from '../table-id.ts';
import { requireUncut } from './cut.ts';
import { requestRest } from './flush.ts';
import { openingOf, withOpening } from './openings.ts';
import { withPassed } from './passed-intervals.ts';
import type { Ends, SourceEnds } from './source-ends.ts';
import {
  entryOf,
  isRefused,
  outdated,
  partitionsOf,
  refused,
  type PartitionEntry,
  type Refused,
  type SinkProgress,
} from './sink-progress.ts';

/**
 * Sets the end of the open intervals (disable, delete). The position does not move; what was accepted is still
 * delivered, without waiting for triggers: the ends are the durable ones, because acknowledged events may lie behind an
 * open transaction, where nobody can read them yet. `progress.logBehind` when the log ends below what the document
 * knows; `progress.logCut`, unless it is deleted, when it has lost some of that.
 */
export function close(
  progress: SinkProgress,
  { durable }: SourceEnds,
  { deleted }: { readonly deleted: boolean },
): SinkProgress | Refused {
  if (!coversAll(progress, durable)) return outdated('a partition has no end: the metadata were old');
  const entries: Record<string, PartitionEntry> = { ...progress.entries };
  for (const [partition, end] of durable) {
    const entry = entryOf(progress, partition);
    const last = entry.intervals.at(-1);
    if (last === undefined || last.end !== null) continue;
    if (!deleted) requireUncut(progress, partition, entry);
    requireReached(progress, { partition, end });
    entries[partition] = { ...entry, intervals: [...entry.intervals.slice(0, -1), { ...last, end }] };
  }
  return requestRest({ ...progress, entries, open: false, deleted: progress.deleted || deleted });
}

/**
 * Appends an open interval at the stable ends (enable); never moves the position. A transaction that is open now may be committed
 * later: its events are wanted. Where the interval before ends behind the stable end, the next one begins at that end, because
 * intervals never overlap. Refused past the limit of intervals. `progress.logBehind` and `progress.logCut` as `close`.
 */
export function open(progress: SinkProgress, ends: SourceEnds): SinkProgress | Refused {
  if (progress.deleted) return refused('a deleted incarnation is not opened again');
  if (!coversAll(progress, ends.durable)) return outdated('a partition has no end: the metadata were old');
  const entries: Record<string, PartitionEntry> = { ...progress.entries };
  let passed: Pick<SinkProgress, 'passedIntervals'> = progress;
  for (const [partition, end] of ends.durable) {
    const entry = entryOf(progress, partition);
    if (isOpen(entry.intervals)) continue;
    requireUncut(progress, partition, entry);
    requireReached(progress, { partition, end });
    const start = Math.max(knownEnd(entry), ends.stable.get(partition) ?? end);
    const waiting = entry.intervals.filter(
      (one) => one.end !== null && one.end > entry.source + 1 && one.start < one.end,
    );
    if (waiting.length >= limits.intervals) return refused('too many intervals wait to be passed');
    const forgotten = entry.intervals.filter((one) => !waiting.includes(one));
    passed = withPassed(passed, { partition, forgotten });
    entries[partition] = { ...entry, intervals: [...waiting, { start, end: null }] };
  }
  return { ...progress, ...passed, entries, open: true };
}

/**
 * Where a new incarnation of a sink begins: at the stable ends, as enabling does, and never below what the one before it has taken.
 * That one may wait for events behind an open transaction; they would be in the table twice. `former` is undefined where there is none,
 * or where it has delivered everything: its ends lie below the stable ones then. A log that has lost its end gives the same offsets to
 * other events, which the one before it never took.
 */
export function beginsAfter(former: SinkProgress | undefined, { stable, durable }: SourceEnds): Ends {
  if (former === undefined) return stable;
  const begins = (partition: Partition, end: Offset): Offset => {
    const entry = entryOf(former, partition);
    const taken = knownEnd(entry);
    return holds(entry, durable.get(partition) ?? end) ? Math.max(end, taken) : end;
  };
  return new Map([...stable].map(([partition, end]) => [partition, begins(partition, end)]));
}

/** Whether a source partition that ends there has all that the document heard of. */
function holds(entry: PartitionEntry, end: Offset): boolean {
  return entry.cut === undefined && end >= knownEnd(entry);
}

/** Whether the source topic ends where it has, in each partition, all that the document heard of. */
export function reaches(progress: SinkProgress, { durable }: SourceEnds): boolean {
  return [...durable].every(([partition, end]) => holds(entryOf(progress, partition), end));
}

/** How far the source partition went when the document last heard of it; a log that ends below has lost its end. */
export function knownEnd({ source, intervals }: PartitionEntry): Offset {
  const last = intervals.at(-1);
  return Math.max(source + 1, last?.end ?? last?.start ?? 0);
}

/**
 * Ends for an incarnation that is deleted for good, whatever became of its source topic. Where that is lost (`found` undefined), or ends
 * below what the document knows, the incarnation ends behind what it has outcomes for (`mapped`): those are still delivered.
 */
export function lastEnds(progress: SinkProgress, found: SourceEnds | undefined, mapped: Ends): SourceEnds {
  const partitions = found?.durable ?? new Map([...Object.keys(progress.entries).map(toZero), ...mapped]);
  const ends = [...partitions].map(([partition, end]) => {
    const entry = entryOf(progress, partition);
    const reached = Math.max(knownEnd(entry), mapped.get(partition) ?? 0);
    return [partition, found !== undefined && holds(entry, end) ? end : reached] as const;
  });
  const durable = new Map(ends);
  return { ...found, stable: found?.stable ?? durable, durable };
}

function toZero(partition: string): readonly [Partition, Offset] {
  return [Number(partition), 0];
}

/** An end below a known position: the log was restored from an earlier moment, or made anew. */
function requireReached(
  progress: SinkProgress,
  { partition, end }: { readonly partition: Partition; readonly end: Offset },
): void {
  const known = knownEnd(entryOf(progress, partition));
  if (end >= known) return;
  throw new MillraceError(
    'progress.logBehind',
    `partition ${partition} of topic "${progress.topics.source}" ends at ${end}, but the sink already knows ${known}`,
    { details: { topic: progress.topics.source, partition, end, known } },
  );
}

function coversAll(progress: SinkProgress, ends: Ends): boolean {
  return partitionsOf(progress).every((partition) => ends.has(partition));
}

/**
 * The incarnation ends for good, with tables that are about to be dropped: what it accepted for them is given up, the rest is delivered at
 * once. Refused as `close` is; done again it adds tables.
 */
export function erase(progress: SinkProgress, ends: SourceEnds, tables: readonly TableId[]): SinkProgress | Refused {
  const closed = progress.open || !progress.deleted ? close(progress, ends, { deleted: true }) : progress;
  if (isRefused(closed)) return closed;
  return requestRest({ ...closed, dropped: [...new Set([...(closed.dropped ?? []), ...tables])] });
}

/** True when a deleted incarnation has nothing left to do in these partitions: its document may go. */
export function isSpent(progress: SinkProgress, partitions: Iterable<Partition>): boolean {
  const { deleted, importing, replaying, staged, parked } = progress;
  if (!deleted || importing !== undefined || replaying !== undefined || staged.length > 0 || parked.length > 0)
    return false;
  return [...partitions].every((partition) => {
    const entry = entryOf(progress, partition);
    return nextWanted(entry.intervals, entry.source) === undefined;
  });
}

/** New outcomes are made with this mapping from now on, into another file; versions only go up. */
export function changeMapping(
  progress: SinkProgress,
  change: { readonly mappingVersion: number; readonly at: number },
): SinkProgress | Refused {
  const { mappingVersion } = change;
  if (mappingVersion <= progress.mappingVersion) return refused('the mapping version is there already');
  const before = openingOf(progress, progress.mappingVersion);
  const known = { ...progress, ...withOpening(progress, { mappingVersion: progress.mappingVersion, at: before }) };
  return { ...known, mappingVersion, ...withOpening(known, change) };
}
