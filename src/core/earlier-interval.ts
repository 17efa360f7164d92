import type { Incarnation } from './ids.ts';

/** At most so much of an interval, and of a long one at most a minute, is taken off. */
const share = 0.2;
const longestMs = 60_000;
/** The golden ratio: multiples of it, less their whole parts, lie as far from each other as so many numbers can. */
const ratio = (Math.sqrt(5) - 1) / 2;

/**
 * The interval after which a sink is imported in fact: a little shorter than the one that was promised, and another one for each
 * sink, so that sinks that were made at the same moment do not stay due at the same moment. Never longer.
 */
export function earlierIntervalMs(intervalMs: number, incarnation: Incarnation): number {
  return intervalMs - Math.min(share * intervalMs, longestMs) * ((incarnation * ratio) % 1);
}
