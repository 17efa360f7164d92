import { storageLoad, type StorageJob, type StorageJobRequest } from '../../core/imports/storage-job.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { createDocument } from '../../documents/change-document.ts';
import { storageJobDocumentId } from '../../documents/document-id.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { storageJobDocuments } from '../../documents/storage-job-document.ts';
import { takeNumber } from '../../documents/take-number.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { contentOf, fileAt } from '../files/stored-files.ts';
import { stampNow } from '../operations/stamp-now.ts';
import type { Parts } from '../parts.ts';
import { randomText } from '../store/random-text.ts';
import { checkDestination, type DestinationParts } from './check-destination.ts';

type CreateStorageJobParts = DestinationParts &
  Pick<Parts, 'catalog' | 'clock' | 'imports' | 'loads' | 'objects' | 'random' | 'tasks'>;

/**
 * Makes a job that loads a table from a file, and begins it. What is wrong with file or table is refused here; it is looked at again when
 * the job has its turn. The document comes before the ledger row: of a process that dies in between no caller was told.
 */
export function createStorageJob(
  parts: CreateStorageJobParts,
  { request, change }: { readonly request: StorageJobRequest; readonly change: Change },
  options: Waiting,
): Promise<StorageJob> {
  const { catalog, imports, loads, random, tasks } = parts;
  return tasks.serial.run('create storage job', () =>
    tasks.alone({ claims: [], change }, async () => {
      contentOf(await fileAt(parts, request.fileId, options));
      await checkDestination(parts, request, options);
      await requireRoom(parts, options);
      await change.begin({ kind: 'table', tableId: request.tableId }, options);
      for (;;) {
        const taker = randomText(random, 16);
        const jobId = String(await takeNumber(catalog, { id: 'storage-job', first: 1, taker }, options));
        // After a restore from an older copy numbers come again, and what was loaded under one is not loaded again.
        if ((await loads.readLoad(storageLoad(jobId), options)) !== undefined) continue;
        const job: StorageJob = { jobId, created: stampNow(parts, change.by), request, status: 'waiting' };
        const place = { kind: storageJobDocuments, id: storageJobDocumentId(jobId), value: job };
        if (!(await createDocument(catalog, place, options))) continue;
        try {
          await loads.openLoad(storageLoad(jobId), options);
        } finally {
          // Whoever asked is told of the failure; the job ends by itself, by what became of its row.
          imports.add(jobId);
        }
        return job;
      }
    }),
  );
}

async function requireRoom({ catalog }: Pick<Parts, 'catalog'>, options: Waiting): Promise<void> {
  const jobs = await listDocuments(catalog, { kind: storageJobDocuments }, options);
  const open = jobs.filter(({ status }) => status === 'waiting' || status === 'processing').length;
  if (open < limits.openStorageJobs) return;
  const message = `${open} imports wait or run, the maximum is ${limits.openStorageJobs}; try again later`;
  throw new MillraceError('import.tooMany', message);
}
