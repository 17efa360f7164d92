import { killJob as killed } from '../../core/jobs/end-job.ts';
import { statusOf, type Job } from '../../core/jobs/job.ts';
import { jobLoad } from '../../core/jobs/job-load.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';
import { noJob, requireJob } from '../store/find-job.ts';
import { stampNow } from './stamp-now.ts';

export type KillJobParts = Pick<Parts, 'catalog' | 'clock' | 'loads' | 'tasks'>;

/**
 * Ends a job: at once when it never ran; otherwise the process that runs it sees that it is to end. `job.notFound`, `job.ended`. What is
 * asked twice is done once.
 */
export async function killJob(
  parts: KillJobParts,
  { jobId, change }: { readonly jobId: string; readonly change: Change },
  options: Waiting,
): Promise<Job> {
  const { catalog, loads, tasks } = parts;
  requireOpen(await requireJob(parts, jobId, options));
  return tasks.alone({ claims: [], change }, async () => {
    await change.begin({ kind: 'job', jobId }, options);
    const { at } = stampNow(parts, change.by);
    const kill = (before: Job | undefined): Job => {
      if (before === undefined) throw noJob(jobId);
      return killed(requireOpen(before), { at }) ?? before;
    };
    const found = await changeDocument(
      catalog,
      { kind: jobDocuments, id: jobDocumentId(jobId), change: kill },
      options,
    );
    if (found === undefined) throw noJob(jobId);
    // Nobody loads what never ran: this holds even when an older copy of the catalog comes back.
    if (found.value.phase === 'ended') await loads.abandonLoad(jobLoad(jobId), options);
    return found.value;
  });
}

function requireOpen(job: Job): Job {
  if (job.phase !== 'ended') return job;
  throw new MillraceError('job.ended', `Job "${job.jobId}" cannot be killed, it has ended: "${statusOf(job)}"`);
}
