import type { Offset } from './offset.ts';

/** Where a partition ended when the processes of the installation had run for so long: everything below is older than that. */
export interface AgeSample {
  readonly end: Offset;
  readonly ranMs: number;
}

export interface AgeQuestion {
  /** How long the processes have run now. */
  readonly ranMs: number;
  readonly ageMs: number;
}

/** Samples of one partition are this far apart, or a part of the age that they are to prove. */
const apartMs = 3_600_000;
const samplesPerAge = 48;

/**
 * The samples, oldest first, with the present end when it is time for another one. Two kinds are left out: samples that
 * prove no more than another one does, and samples above the end, because a log that was restored from a copy no longer
 * has those records.
 */
export function withSample(
  samples: readonly AgeSample[],
  { end, ranMs, ageMs }: AgeSample & AgeQuestion,
): readonly AgeSample[] {
  let kept = samples.some((sample) => sample.end > end) ? samples.filter((sample) => sample.end <= end) : samples;
  const proving = kept.findLastIndex((sample) => ranMs - sample.ranMs >= ageMs);
  if (proving > 0) kept = kept.slice(proving);
  const last = kept.at(-1);
  const isDue = last === undefined || ranMs - last.ranMs >= Math.max(apartMs, ageMs / samplesPerAge);
  return isDue && last?.end !== end ? [...kept, { end, ranMs }] : kept;
}

/** Every record below this offset is at least so old, by the time that the processes have run; 0 when none is known to be. */
export function provenBefore(samples: readonly AgeSample[], { ranMs, ageMs }: AgeQuestion): Offset {
  return samples.findLast((sample) => ranMs - sample.ranMs >= ageMs)?.end ?? 0;
}
