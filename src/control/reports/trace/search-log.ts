import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../core/clock.ts';
import { limits } from '../../../core/limits.ts';
import type { EventLog } from '../../../ports/event-log.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { LogRange } from './log-ranges.ts';
import { recordEvents, type ReadingOf, type RecordEvents } from './record-events.ts';

/** An event of a record. */
export interface FoundEvent {
  readonly of: RecordEvents;
  /** Which of the record's events. */
  readonly item: number;
}

/** Which events of these records are meant, in their order. */
export type Match = (records: readonly RecordEvents[]) => readonly FoundEvent[] | Promise<readonly FoundEvent[]>;

export interface Search extends ReadingOf {
  readonly ranges: readonly LogRange[];
  readonly match: Match;
  /** So many events are enough. */
  readonly limit: number;
}

export interface Searched {
  readonly found: readonly FoundEvent[];
  readonly records: number;
  readonly bytes: number;
  /** Places in the ranges that retention took before they were read. */
  readonly removed: number;
  /** What is left to be read; empty: all ranges were. */
  readonly left: readonly LogRange[];
}

interface SearchPorts {
  readonly sourceLog: Pick<EventLog, 'read'>;
  readonly clock: Clock;
}

/**
 * Reads ranges of a source's topic outside of any group until there is enough, or until as many records, bytes or milliseconds are used
 * as one call may use; one read is always made. Rejects with what the log says of a partition that cannot be read.
 */
export async function searchLog(
  { sourceLog, clock }: SearchPorts,
  search: Search,
  options: Waiting,
): Promise<Searched> {
  const { source, ranges, match, limit } = search;
  const began = clock.monotonic();
  const found: FoundEvent[] = [];
  let [records, bytes, removed, shownBytes] = [0, 0, 0, 0];
  const left = [...ranges];
  const isSpent = (): boolean =>
    records >= limits.tracedRecords || bytes >= limits.tracedBytes || clock.monotonic() - began >= limits.tracedMs;
  for (let range = left[0]; range !== undefined && found.length < limit; range = left[0]) {
    if (records > 0 && isSpent()) break;
    const { partition, from, to } = range;
    const at = { topic: source.topic, identity: source.topicIdentity, partition };
    const batch = await sourceLog.read(at, from, options);
    if (batch.failure !== undefined) throw batch.failure;
    removed += Math.max(0, Math.min(batch.first, to) - from);
    const read = batch.records.filter(({ offset }) => offset < to);
    records += read.length;
    bytes += read.reduce((sum, { value }) => sum + value.length, 0);
    let next = Math.max(batch.next, Math.min(batch.first, to));
    const matched = await match(read.map((record) => recordEvents(record, partition, search)));
    for (const [index, one] of matched.entries()) {
      found.push(one);
      shownBytes += Math.min(limits.shownBodyBytes, one.of.events[one.item]?.record.value.length ?? 0);
      // What is meant of a record stays together.
      const isLast = matched[index + 1]?.of !== one.of;
      if (!isLast || (found.length < limit && shownBytes < limits.shownEventsBytes)) continue;
      next = one.of.offset + 1;
      break;
    }
    // Nothing comes behind it: the range ends where the log does.
    const isOver = next >= to || batch.next === from;
    if (isOver) left.shift();
    else left[0] = { partition, from: next, to };
    // A log in a file reads without waiting, and others wait for this thread.
    await setImmediate();
    options.signal.throwIfAborted();
    if (shownBytes >= limits.shownEventsBytes) break;
  }
  return { found, records, bytes, removed, left };
}
