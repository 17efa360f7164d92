import type { Clock } from '../../core/clock.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import type { RetentionLimits } from '../../core/retention-limits.ts';
import type { EventLog, PartitionRange } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface UsedSharesOptions {
  readonly sourceLog: EventLog;
  readonly clock: Clock;
  readonly range: PartitionRange;
  readonly limits: RetentionLimits;
}

/**
 * How much of its limits the oldest needed record of a partition has used, from 0 to 1, for each of the offsets that somebody
 * needs. Age is told in tenths: a look at the log for each tenth that the oldest one has used, and one more, whatever their number.
 */
export async function usedShares(
  at: TopicPartition,
  needed: readonly Offset[],
  { sourceLog, clock, range, limits, signal }: UsedSharesOptions & Waiting,
): Promise<readonly number[]> {
  const { maxAgeMs, maxBytes } = limits;
  // What is gone is counted as a hole; the oldest that is left is what can still be saved.
  const offsets = needed.map((offset) => Math.max(offset, range.first));
  const shares = offsets.map((offset) => shareOfBytes(offset, range, maxBytes));
  const oldest = offsets.reduce((least, offset) => Math.min(least, offset), range.stableEnd);
  if (maxAgeMs === undefined || oldest >= range.stableEnd) return shares;
  const now = clock.now();
  for (let tenths = 1; tenths <= 10; tenths += 1) {
    const younger = await sourceLog.offsetForTime(at, now - (maxAgeMs * tenths) / 10, { signal });
    if (oldest >= younger) break;
    for (const [index, offset] of offsets.entries())
      if (offset < younger) shares[index] = Math.max(shares[index] ?? 0, tenths / 10);
  }
  return shares;
}

/** Bytes are shared out by the mean size of a record. */
function shareOfBytes(
  needed: Offset,
  { first, durableEnd, bytes }: PartitionRange,
  maxBytes: number | undefined,
): number {
  if (maxBytes === undefined || needed >= durableEnd) return 0;
  return Math.min(1, ((durableEnd - needed) / (durableEnd - first)) * (bytes / Math.max(1, maxBytes)));
}
