import { storageLoad, type StorageJob } from '../../core/imports/storage-job.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { storageJobDocumentId } from '../../documents/document-id.ts';
import { listDocuments, listReadable } from '../../documents/list-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import { storageJobDocuments } from '../../documents/storage-job-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';

/** The job of an id; `import.notFound`. */
export async function storageJobAt(
  { catalog }: Pick<Parts, 'catalog'>,
  jobId: string,
  options: Waiting,
): Promise<StorageJob> {
  const id = /^[1-9]\d{0,14}$/.test(jobId) ? storageJobDocumentId(jobId) : undefined;
  const found = id === undefined ? undefined : await readDocument(catalog, { kind: storageJobDocuments, id }, options);
  if (found !== undefined) return found.value;
  throw noStorageJob(jobId);
}

export function noStorageJob(jobId: string): MillraceError {
  return new MillraceError('import.notFound', `Job "${jobId.slice(0, 50)}" not found`);
}

export interface StorageJobsQuery {
  /** Id of the token that asked for it; absent: of all. */
  readonly creator?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The newest first. */
export async function listStorageJobs(
  { catalog }: Pick<Parts, 'catalog'>,
  { creator, offset, limit }: StorageJobsQuery,
  options: Waiting,
): Promise<readonly StorageJob[]> {
  const jobs = await listDocuments(catalog, { kind: storageJobDocuments }, options);
  const seen = creator === undefined ? jobs : jobs.filter(({ created }) => created.by.tokenId === creator);
  return seen.toReversed().slice(offset, offset + limit);
}

/** What a process that ended left: taken up again, in order. */
export async function resumeStorageJobs(
  { catalog, imports }: Pick<Parts, 'catalog' | 'imports'>,
  options: Waiting,
): Promise<void> {
  const { documents } = await listReadable(catalog, { kind: storageJobDocuments }, options);
  for (const { jobId, status } of documents) if (status === 'waiting' || status === 'processing') imports.add(jobId);
}

/** Jobs that were kept long enough go, with their ledger rows; the document last, so that whoever comes next finds what is left. */
export async function removeOldStorageJobs(
  { catalog, clock, loads }: Pick<Parts, 'catalog' | 'clock' | 'loads'>,
  options: Waiting,
): Promise<void> {
  const { documents } = await listReadable(catalog, { kind: storageJobDocuments }, options);
  const ended = documents.filter((job) => job.status === 'success' || job.status === 'error');
  const old = ended.filter(
    ({ endedAt }, at) =>
      at < ended.length - limits.endedStorageJobs || clock.now() - Date.parse(endedAt) > limits.jobAgeMs,
  );
  for (const { jobId } of old) {
    await loads.forgetLoad(storageLoad(jobId), options);
    await removeDocument(catalog, { collection: 'storage-job', id: storageJobDocumentId(jobId) }, options);
  }
}
