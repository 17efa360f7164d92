import type { Job } from '../core/jobs/job.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import { jobDocumentId } from './document-id.ts';
import { jobDocuments } from './job-document.ts';

/** A job may have been given a whole configuration: some at a time. */
const pageSize = 100;

/** The jobs in the order of their numbers, after one, page by page; those that this release cannot read are left out. */
export async function* eachJob(
  catalog: Catalog,
  { after }: { readonly after?: string | undefined },
  options: Waiting,
): AsyncGenerator<Job> {
  let last = after === undefined ? undefined : jobDocumentId(after);
  for (;;) {
    const from = last === undefined ? {} : { after: last };
    const page = await catalog.list({ collection: 'job', prefix: '', limit: pageSize, ...from }, options);
    for (const { value } of page) {
      const job = jobDocuments.tryParse(value);
      if (job !== undefined) yield job;
    }
    if (page.length < pageSize) return;
    last = page.at(-1)?.id;
  }
}
