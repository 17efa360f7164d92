import type { Job } from '../../core/jobs/job.ts';
import { isProgressOf, type RunProgress } from '../../core/jobs/run-progress.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { jobProgressDocuments } from '../../documents/job-progress-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';

/** How far the run of a job is, or how far its last one came; undefined when none has written it down. */
export async function readJobProgress(
  { catalog }: Pick<Parts, 'catalog'>,
  job: Job,
  options: Waiting,
): Promise<RunProgress | undefined> {
  const hasRun = (job.phase === 'running' || job.phase === 'ended') && job.run !== undefined;
  if (!hasRun) return undefined;
  const found = await readDocument(catalog, { kind: jobProgressDocuments, id: jobDocumentId(job.jobId) }, options);
  return found !== undefined && isProgressOf(job, found.value) ? found.value : undefined;
}
