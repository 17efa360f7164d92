import type { Incarnation } from './ids.ts';

/** At most this share of an interval is taken off, and never more than a minute. */
const share = 0.2;
const longestMs = 60_000;
/** The golden ratio: the fractional parts of its multiples lie as far apart as that many numbers can. */
const ratio = (Math.sqrt(5) - 1) / 2;

/**
 * The interval after which a sink is really imported: a little shorter than promised, never longer, and different for
 * each sink, so that sinks made at the same moment are not due at the same moment for ever.
 */
export function earlierIntervalMs(intervalMs: number, incarnation: Incarnation): number {
  return intervalMs - Math.min(share * intervalMs, longestMs) * ((incarnation * ratio) % 1);
}
