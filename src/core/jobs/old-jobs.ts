import { limits } from '../limits.ts';
import type { Job } from './job.ts';

/** Which jobs have been kept long enough: those that ended long ago, and of the others those beyond the number that is kept, the oldest. */
export function oldJobs(jobs: readonly Job[], { now }: { readonly now: number }): readonly Job[] {
  const newest = jobs
    .filter(({ phase }) => phase === 'ended')
    .toSorted((one, other) => Number(other.jobId) - Number(one.jobId));
  return newest.filter(
    (job, index) =>
      index >= limits.endedJobs || (job.phase === 'ended' && Date.parse(job.endedAt) + limits.jobAgeMs < now),
  );
}
