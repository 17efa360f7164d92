import { limits } from '../limits.ts';
import type { Job } from './job.ts';

/** What matters of a job that has ended. */
export interface EndedAt extends Pick<Job, 'jobId'> {
  readonly endedAt: string;
}

/**
 * Which of the jobs that have ended were kept long enough: the old ones, unless nobody knows what time it is, and of the others those
 * beyond the number that is kept.
 */
export function oldJobs<Ended extends EndedAt>(
  ended: readonly Ended[],
  { now }: { readonly now: number | undefined },
): readonly Ended[] {
  const newest = ended.toSorted((one, other) => Number(other.jobId) - Number(one.jobId));
  return newest.filter(
    ({ endedAt }, index) =>
      index >= limits.endedJobs || (now !== undefined && Date.parse(endedAt) + limits.jobAgeMs < now),
  );
}
