import { jobLoad } from '../../core/jobs/job-load.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { counterDocuments, jobCounter, type Counter } from '../../documents/counter-document.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { randomText } from '../store/random-text.ts';

export type ForgetUnmadeParts = Pick<Parts, 'catalog' | 'loads' | 'random'>;

/** Id in `meta`: of the numbers up to here each has its job, or had one, or has no ledger row. */
const looked = 'job-looked-at';

/** The highest number of a job that was handed out. */
export async function lastJobNumber({ catalog }: Pick<Parts, 'catalog'>, options: Waiting): Promise<number> {
  return (await readDocument(catalog, { kind: counterDocuments, id: jobCounter }, options))?.value.last ?? 0;
}

/**
 * Removes the ledger rows of jobs that were never made, because a process ended between the two. `upTo`: a number that was handed out so
 * long ago that its job stands, if it ever will.
 */
export async function forgetUnmadeJobs(
  { catalog, loads, random }: ForgetUnmadeParts,
  { upTo, ...options }: Waiting & { readonly upTo: number },
): Promise<void> {
  const before = (await readDocument(catalog, { kind: counterDocuments, id: looked }, options))?.value.last ?? 0;
  if (before >= upTo) return;
  for (let number = before + 1; number <= upTo; number += 1) {
    const jobId = String(number);
    if ((await catalog.get('job', jobDocumentId(jobId), options)) === undefined)
      await loads.forgetLoad(jobLoad(jobId), options);
  }
  const taker = randomText(random, 16);
  const change = (found: Counter | undefined): Counter => ({ ...found, last: Math.max(found?.last ?? 0, upTo), taker });
  await changeDocument(catalog, { kind: counterDocuments, id: looked, change }, options);
}
