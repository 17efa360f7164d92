import { fileAt, noFile } from '../../../control/files/stored-files.ts';
import { noStorageJob, storageJobAt } from '../../../control/imports/storage-jobs.ts';
import type { StoredFile } from '../../../core/files/stored-file.ts';
import type { StorageJob } from '../../../core/imports/storage-job.ts';
import type { Stamp } from '../../../core/source.ts';
import { mayReadAllTables, type Token } from '../../../core/token.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';

type Caller = Token | undefined;

/** Id of the token whose files and jobs alone the caller sees; undefined: it sees those of all. */
export function seenCreator(caller: Caller): string | undefined {
  // No token has the empty id.
  return caller !== undefined && mayReadAllTables(caller) ? undefined : (caller?.id ?? '');
}

/** A file that the caller may see; one that somebody else prepared may be as good as none: `file.notFound`. */
export async function requireSeenFile(
  context: Pick<ApiContext, 'catalog' | 'clock'>,
  { fileId, token }: { readonly fileId: string; readonly token: Caller },
  options: Waiting,
): Promise<StoredFile> {
  const file = await fileAt(context, fileId, options);
  if (isSeen(file, token)) return file;
  throw noFile(fileId);
}

/** The same of a job of the storage interface: `import.notFound`. */
export async function requireSeenStorageJob(
  context: Pick<ApiContext, 'catalog'>,
  { jobId, token }: { readonly jobId: string; readonly token: Caller },
  options: Waiting,
): Promise<StorageJob> {
  const job = await storageJobAt(context, jobId, options);
  if (isSeen(job, token)) return job;
  throw noStorageJob(jobId);
}

function isSeen({ created }: { readonly created: Stamp }, caller: Caller): boolean {
  const creator = seenCreator(caller);
  return creator === undefined || created.by.tokenId === creator;
}
