import type { Offset } from '../../core/offset.ts';
import type { PartitionRange } from '../../ports/event-log.ts';

export interface RetentionQuestion {
  readonly range: PartitionRange;
  /** Nothing at or above it may go before its maximum age. */
  readonly needed: Offset;
  /** First offset younger than the retention interval, by the clock on the wall. */
  readonly youngerThanInterval: Offset;
  /** First offset younger than the maximum age, by the clock on the wall. */
  readonly youngerThanMaxAge: Offset;
  /** Everything below it is past the maximum age by the time that the product has run. */
  readonly provenMaxAge: Offset;
  /** The clock on the wall is not in doubt; else nothing goes because of its age. */
  readonly isClockTrusted: boolean;
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
 * Which records of a partition go: those that no sink needs and that are past the interval or beyond the bytes, and all
 * that are past the maximum age by both clocks. Bytes are estimated by the mean size of a record.
 */
export function retain({
  range,
  needed,
  youngerThanInterval,
  youngerThanMaxAge,
  provenMaxAge,
  isClockTrusted,
  maxBytes,
}: RetentionQuestion): RetentionAnswer {
  const count = range.durableEnd - range.first;
  const meanBytes = count === 0 ? 0 : range.bytes / count;
  const surplus = meanBytes === 0 ? 0 : Math.max(0, Math.ceil((range.bytes - maxBytes) / meanBytes));
  const old = isClockTrusted ? youngerThanInterval : range.first;
  const unneeded = Math.min(needed, Math.max(old, range.first + surplus));
  const tooOld = isClockTrusted ? Math.min(youngerThanMaxAge, provenMaxAge) : range.first;
  const before = Math.min(range.durableEnd, Math.max(range.first, unneeded, tooOld));
  return { before, isSpent: (range.durableEnd - before) * meanBytes > maxBytes };
}
