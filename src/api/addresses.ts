import type { SourceId } from '../core/ids.ts';
import type { ObjectAddresses } from '../control/addresses.ts';

/** The addresses that answers show. */
export interface Addresses extends ObjectAddresses {
  task(taskId: string): string;
  job(jobId: string): string;
  bucket(bucketId: string): string;
  table(tableId: string): string;
  file(fileId: string): string;
  storageJob(jobId: string): string;
  /** Base of all addresses of the API. */
  admin(): string;
  documentation(): string;
  /** Where senders of an HTTP source post. */
  stream(sourceId: SourceId, secret: string): string;
  /** Base of an OTLP source's addresses, without the secret. */
  otlp(sourceId: SourceId): string;
}

export interface AddressOptions {
  readonly projectId: number;
  readonly admin: () => string;
  readonly ingest: () => string;
}

/** Builds addresses on bases that are read anew each time: a port may be known only after listening. */
export function createAddresses({ projectId, admin, ingest }: AddressOptions): Addresses {
  const source: Addresses['source'] = (branchId, sourceId) =>
    `${admin()}/v1/branches/${branchId}/sources/${encodeURIComponent(sourceId)}`;
  return {
    projectId,
    task: (taskId) => `${admin()}/v1/tasks/${encodeURI(taskId)}`,
    job: (jobId) => `${admin()}/jobs/${encodeURIComponent(jobId)}`,
    source,
    sink: ({ branchId, sourceId }, sinkId) => `${source(branchId, sourceId)}/sinks/${encodeURIComponent(sinkId)}`,
    bucket: (bucketId) => `${admin()}/v2/storage/buckets/${encodeURIComponent(bucketId)}`,
    table: (tableId) => `${admin()}/v2/storage/tables/${encodeURIComponent(tableId)}`,
    file: (fileId) => `${admin()}/v2/storage/files/${encodeURIComponent(fileId)}`,
    storageJob: (jobId) => `${admin()}/v2/storage/jobs/${encodeURIComponent(jobId)}`,
    admin,
    documentation: () => `${admin()}/v1/documentation`,
    stream: (sourceId, secret) => `${ingest()}/stream/${projectId}/${encodeURIComponent(sourceId)}/${secret}`,
    otlp: (sourceId) => `${ingest()}/otlp/${projectId}/${encodeURIComponent(sourceId)}`,
  };
}
