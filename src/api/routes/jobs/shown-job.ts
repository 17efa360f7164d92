import type { z } from 'zod';
import { readJobProgress } from '../../../control/reports/job-progress.ts';
import type { Job } from '../../../core/jobs/job.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import { jobView, type jobSchema } from '../../views/job-view.ts';

/** A job with how far it is, as its interface shows it. */
export async function shownJob(
  job: Job,
  context: Pick<ApiContext, 'addresses' | 'catalog' | 'clock'>,
  options: Waiting,
): Promise<z.input<typeof jobSchema>> {
  const progress = await readJobProgress(context, job, options);
  const { addresses, clock } = context;
  return jobView(job, { addresses, now: clock.now(), progress });
}
