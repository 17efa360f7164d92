import type { z } from 'zod';
import { readJobProgress } from '../../../control/reports/job-progress.ts';
import { readWorkforce } from '../../../control/store/read-workforce.ts';
import type { Job } from '../../../core/jobs/job.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import { jobView, type jobSchema } from '../../views/job-view.ts';

type ShownJob = z.input<typeof jobSchema>;
type Context = Pick<ApiContext, 'addresses' | 'catalog' | 'clock' | 'runsJobs' | 'workers'>;

const nobodyRuns = 'No process runs jobs at present: it begins when one with the role work is there.';

/** A job as its interface shows it: with how far it is, and with what holds it up. */
export async function shownJob(job: Job, context: Context, options: Waiting): Promise<ShownJob> {
  const { addresses, clock } = context;
  const [progress, heldUp] = await Promise.all([
    readJobProgress(context, job, options),
    hasBegun(job) ? null : heldUpBy(context, options),
  ]);
  return jobView(job, { addresses, now: clock.now(), progress, heldUp });
}

/** The same of many. */
export async function shownJobs(
  jobs: readonly Job[],
  context: Context,
  options: Waiting,
): Promise<readonly ShownJob[]> {
  const { addresses, clock } = context;
  const heldUp = jobs.every(hasBegun) ? null : await heldUpBy(context, options);
  const view = async (job: Job): Promise<ShownJob> => {
    const progress = await readJobProgress(context, job, options);
    return jobView(job, { addresses, now: clock.now(), progress, heldUp: hasBegun(job) ? null : heldUp });
  };
  return Promise.all(jobs.map(view));
}

function hasBegun({ phase }: Job): boolean {
  return phase === 'running' || phase === 'ended';
}

async function heldUpBy(context: Context, options: Waiting): Promise<string | null> {
  return (await readWorkforce(context, options)) === 'present' ? null : nobodyRuns;
}
