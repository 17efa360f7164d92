import type { Waiting } from '../ports/waiting.ts';
import type { HttpRequest } from '../ports/http-client.ts';
import type { ExtractionRun } from './extraction.ts';
import { askedBy, nothing } from './job-asked.ts';
import { openRun } from './open-run.ts';
import { firstPageOf } from './pages.ts';
import type { JsonValue } from './values/json-value.ts';

/** The first page of a job, and what a run would ask for next. */
export interface JobPreview {
  readonly jobId: string;
  readonly dataType: string;
  /** As it is sent, without what identifies the sender. */
  readonly first: HttpRequest;
  readonly items: readonly JsonValue[];
  /** Undefined: there is one page. */
  readonly next: HttpRequest | undefined;
}

/**
 * Asks for the first page of each job of a configuration, without its children, and stores nothing. It fails as `runExtraction` does.
 */
export async function previewExtraction(
  run: Omit<ExtractionRun, 'spool'>,
  waiting: Waiting,
): Promise<readonly JobPreview[]> {
  await using opened = openRun(run, waiting);
  const previews: JobPreview[] = [];
  for (const iteration of opened.configuration.iterations) {
    const client = opened.clientOf(iteration);
    for (const job of iteration.jobs) {
      const asked = askedBy(job, nothing, { iteration, client, now: () => run.clock.now() });
      const { first, page, next } = await firstPageOf(asked);
      opened.budget.takePage(page.items.length);
      previews.push({
        jobId: job.id,
        dataType: job.dataType,
        first: client.request(first),
        items: page.items,
        next: next === undefined ? undefined : client.request(next),
      });
    }
  }
  return previews;
}
