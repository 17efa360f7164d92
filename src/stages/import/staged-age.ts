import type { SinkProgress } from '../../core/progress/sink-progress.ts';

/**
 * How long the oldest staged slice has waited, by the clock on the wall; undefined while nothing is staged. A slice
 * that seems to come from further in the future than the interval was staged before the clock was set back. Nobody
 * knows how long it has waited, so it counts as long enough.
 */
export function stagedAgeMs(
  { staged }: Pick<SinkProgress, 'staged'>,
  { now, intervalMs }: { readonly now: number; readonly intervalMs: number },
): number | undefined {
  if (staged.length === 0) return undefined;
  const oldest = staged.reduce((least, { stagedAt }) => Math.min(least, stagedAt), Number.POSITIVE_INFINITY);
  const age = now - oldest;
  return age < -intervalMs ? intervalMs : Math.max(0, age);
}
