import type { Offset } from '../offset.ts';
import type { PartitionEntry } from './sink-progress.ts';

/** The end of a sink partition as the log shows it, read after the entry. */
export interface SinkTail {
  /** `to` of the last outcome in the partition. */
  readonly lastTo: Offset;
  /** First offset that the sink partition still holds. */
  readonly firstOffset: Offset;
}

/**
 * The last source offset that a mapper needs not map (again) for a sink: it goes on with the first wanted offset after
 * it. Never above what has an outcome; a lower value only makes repeats, which readers drop, so a stale entry is safe.
 *
 * Short cut: there is no gap between the entry and the tail if the sink partition has lost only what the entry has
 * taken (`firstOffset` ≤ `sink`) and no earlier loss reaches above the entry.
 */
export function resumePosition(entry: PartitionEntry, tail?: SinkTail): Offset {
  const unbroken = tail !== undefined && tail.firstOffset <= entry.sink && entry.torn.end <= entry.source + 1;
  return unbroken ? Math.max(tail.lastTo, entry.source) : entry.source;
}

/** True when a sink has to be mapped again from `resumePosition` without a tail: its topic was torn since `known`. */
export function isTornSince(known: PartitionEntry['torn'], entry: PartitionEntry): boolean {
  return entry.torn.low !== known.low || entry.torn.end !== known.end;
}
