import { limits } from '../limits.ts';
import type { LastingFailure } from './sink-progress.ts';

/**
 * True when a slice may be given up: both clocks say that it has failed for so long. The wall clock alone is not
 * enough: it may have been set, or the product may have been stopped meanwhile. What processes saw is not enough
 * either: it may come from a machine whose seconds are short.
 */
export function hasLasted(
  failing: LastingFailure | undefined,
  now: number,
  forMs: number = limits.stagedAgeMs,
): boolean {
  return failing !== undefined && now - failing.since >= forMs && failing.provenMs >= forMs;
}
