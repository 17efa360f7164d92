import type { Job } from '../../core/jobs/job.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { shortened } from '../../core/shortened.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

interface JobPlace {
  readonly catalog: Catalog;
}

/** The job; undefined for what is none, whatever the text is. */
export async function findJob({ catalog }: JobPlace, jobId: string, options: Waiting): Promise<Job | undefined> {
  if (!isJobId(jobId)) return undefined;
  return (await readDocument(catalog, { kind: jobDocuments, id: jobDocumentId(jobId) }, options))?.value;
}

/** The same; `job.notFound`. */
export async function requireJob(place: JobPlace, jobId: string, options: Waiting): Promise<Job> {
  const job = await findJob(place, jobId, options);
  if (job === undefined) throw noJob(jobId);
  return job;
}

/** True for what can be the id of a job: a number without zeros in front, which would be another text for the same job. */
function isJobId(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text);
}

export function noJob(jobId: string): MillraceError {
  return new MillraceError('job.notFound', `Job "${shortened(jobId, 100)}" not found`);
}
