import type { Job, JobRequest } from '../core/jobs/job.ts';
import { jobLoad } from '../core/jobs/job-load.ts';
import type { Stamp } from '../core/source.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { TableLoads } from '../ports/table-loads.ts';
import type { Waiting } from '../ports/waiting.ts';
import { createDocument } from './change-document.ts';
import { jobCounter } from './counter-document.ts';
import { jobDocumentId } from './document-id.ts';
import { jobDocuments } from './job-document.ts';
import { takeNumber } from './take-number.ts';

export interface JobMaking {
  readonly request: JobRequest;
  readonly created: Stamp;
  /** Unique to the call. */
  readonly taker: string;
}

export interface JobStores {
  readonly catalog: Catalog;
  readonly loads: Pick<TableLoads, 'openLoad' | 'readLoad'>;
}

/** Makes a job under the next number. */
export async function makeJob(
  stores: JobStores,
  { request, created, taker }: JobMaking,
  options: Waiting,
): Promise<Job> {
  for (;;) {
    const jobId = await takeJobNumber(stores, { taker }, options);
    const job = createdJob(jobId, { request, created });
    if (await createJobDocument(stores.catalog, job, options)) return job;
  }
}

/**
 * The number of a job that is about to be made. The ledger row of its load stands before the job can be seen, so that whoever takes it
 * finds one. After a restore from an older copy numbers come again: one whose load has happened, or was given up, is passed over, or the
 * job would count as done.
 */
export async function takeJobNumber(
  { catalog, loads }: JobStores,
  { taker }: Pick<JobMaking, 'taker'>,
  options: Waiting,
): Promise<string> {
  for (;;) {
    const jobId = String(await takeNumber(catalog, { id: jobCounter, first: 1, taker }, options));
    await loads.openLoad(jobLoad(jobId), options);
    if ((await loads.readLoad(jobLoad(jobId), options))?.verdict === 'open') return jobId;
  }
}

export function createdJob(jobId: string, { request, created }: Omit<JobMaking, 'taker'>): Job {
  const { parentRunId } = request;
  const runId = parentRunId === undefined ? jobId : `${parentRunId}.${jobId}`;
  return { jobId, runId, created, request, phase: 'created' };
}

/** False when another job has the number. */
export function createJobDocument(catalog: Catalog, job: Job, options: Waiting): Promise<boolean> {
  return createDocument(catalog, { kind: jobDocuments, id: jobDocumentId(job.jobId), value: job }, options);
}
