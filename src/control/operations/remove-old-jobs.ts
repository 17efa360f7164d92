import { jobLoad } from '../../core/jobs/job-load.ts';
import { oldJobs, type EndedAt } from '../../core/jobs/old-jobs.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { jobDocumentId, jobEventPrefix } from '../../documents/document-id.ts';
import { eachJob } from '../../documents/each-job.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';

export type RemoveJobsParts = Pick<Parts, 'catalog' | 'clock' | 'loads'>;

/** A line may have 200 KB. */
const pageSize = 50;

/**
 * Removes jobs that were kept long enough, with their logs and the ledger rows of their loads. The document goes last: as long as it is
 * there, whoever comes next finds what is left. While the clock is in doubt none is removed for its age.
 */
export async function removeOldJobs(
  parts: RemoveJobsParts,
  { isClockTrusted, ...options }: Waiting & { readonly isClockTrusted: boolean },
): Promise<void> {
  const { catalog, clock, loads } = parts;
  const ended: EndedAt[] = [];
  for await (const job of eachJob(catalog, {}, options))
    if (job.phase === 'ended') ended.push({ jobId: job.jobId, endedAt: job.endedAt });
  for (const { jobId } of oldJobs(ended, { now: isClockTrusted ? clock.now() : undefined })) {
    await removeLog(catalog, jobId, options);
    await loads.forgetLoad(jobLoad(jobId), options);
    const id = jobDocumentId(jobId);
    await removeDocument(catalog, { collection: 'job-progress', id }, options);
    await removeDocument(catalog, { collection: 'job', id }, options);
  }
}

async function removeLog(catalog: Parts['catalog'], jobId: string, options: Waiting): Promise<void> {
  const query = { collection: 'job-event', prefix: jobEventPrefix(jobId), limit: pageSize } as const;
  for (;;) {
    const page = await catalog.list(query, options);
    for (const { id } of page) await removeDocument(catalog, { collection: 'job-event', id }, options);
    if (page.length < pageSize) return;
  }
}
