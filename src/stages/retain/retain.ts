import type { Offset } from '../../core/offset.ts';
import type { PartitionRange } from '../../ports/event-log.ts';

export interface RetentionQuestion {
  readonly range: PartitionRange;
  /** Nothing at or above it may go before its maximum age. */
  readonly needed: Offset;
  /** First offset younger than the retention interval. */
  readonly youngerThanInterval: Offset;
  /** First offset younger than the maximum age. */
  readonly youngerThanMaxAge: Offset;
  /** Bytes that this partition may keep. */
  readonly maxBytes: number;
}

export interface RetentionAnswer {
  /** Records below it go. */
  readonly before: Offset;
  /** The budget is spent by records that sinks still need: the source takes no more. */
  readonly isSpent: boolean;
}

/**
 * What of a partition goes: records that no sink needs and that are past the interval or beyond the bytes, and anything past
 * the maximum age. Bytes are shared out by the mean size of a record.
 */
export function retain({
  range,
  needed,
  youngerThanInterval,
  youngerThanMaxAge,
  maxBytes,
}: RetentionQuestion): RetentionAnswer {
  const count = range.end - range.first;
  const meanBytes = count === 0 ? 0 : range.bytes / count;
  const surplus = meanBytes === 0 ? 0 : Math.max(0, Math.ceil((range.bytes - maxBytes) / meanBytes));
  const unneeded = Math.min(needed, Math.max(youngerThanInterval, range.first + surplus));
  const before = Math.min(range.end, Math.max(range.first, unneeded, youngerThanMaxAge));
  return { before, isSpent: (range.end - before) * meanBytes > maxBytes };
}
