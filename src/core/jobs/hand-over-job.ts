import { isRunOf } from './end-job.ts';
import type { Job, JobRun } from './job.ts';

/**
 * Gives a job back that this run does not bring to an end, as when its process leaves: another run begins it anew, and this one does not
 * count among those whose process died. Undefined when it is another run's, has ended, or is to end.
 */
export function handOverJob(job: Job, run: JobRun): Job | undefined {
  if (!isRunOf(job, run) || job.isEnding) return undefined;
  const { run: _, isEnding: __, ...kept } = job;
  return { ...kept, phase: 'waiting' };
}
