import type { Job } from '../core/jobs/job.ts';
import type { Catalog, Versioned } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import { counterDocuments, jobCounter } from './counter-document.ts';
import { jobDocumentId } from './document-id.ts';
import { jobDocuments } from './job-document.ts';
import { readDocument } from './read-document.ts';

/** A job may have been given a whole configuration: some at a time. */
const pageSize = 100;

/**
 * The jobs in the order of their numbers, page by page; those that this release cannot read are left out. `from`: the number of the first
 * one that is wanted.
 */
export async function* eachJob(
  catalog: Catalog,
  { from = 1 }: { readonly from?: number },
  options: Waiting,
): AsyncGenerator<Job> {
  let after = jobDocumentId(String(from - 1));
  for (;;) {
    const page = await pageAfter(catalog, after, options);
    yield* readable(page);
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}

/** The jobs, the newest first. One that is made meanwhile may be missing. */
export async function* eachJobBackwards(catalog: Catalog, options: Waiting): AsyncGenerator<Job> {
  const [first] = await catalog.list({ collection: 'job', prefix: '', limit: 1 }, options);
  const lowest = first === undefined ? Infinity : Number(first.id);
  const counter = await readDocument(catalog, { kind: counterDocuments, id: jobCounter }, options);
  for (let top = counter?.value.last ?? 0; top >= lowest; top -= pageSize) {
    // Of so many numbers there are at most so many documents.
    const page = await pageAfter(catalog, jobDocumentId(String(Math.max(0, top - pageSize))), options);
    yield* readable(page.filter(({ id }) => id <= jobDocumentId(String(top))).toReversed());
  }
}

function pageAfter(catalog: Catalog, after: string, options: Waiting): Promise<readonly Versioned[]> {
  return catalog.list({ collection: 'job', prefix: '', limit: pageSize, after }, options);
}

function readable(page: readonly Versioned[]): readonly Job[] {
  return page.flatMap(({ value }) => jobDocuments.tryParse(value) ?? []);
}
