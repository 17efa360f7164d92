import type { ExtractorLog } from './values/extractor-log.ts';
import type { JsonValue } from './values/json-value.ts';
import type { Pagination } from './pagination/pagination.ts';
import type { JobRequest, Page } from './pagination/scroller.ts';
import { isSame } from './values/same.ts';

export interface PagesAsked {
  /** For the log. */
  readonly jobId: string;
  readonly job: JobRequest;
  readonly pagination: Pagination;
  readonly log: ExtractorLog;
  /** The decoded answer to a request. */
  readonly ask: (request: JobRequest) => Promise<JsonValue>;
  /** The items of an answer, filtered. */
  readonly itemsOf: (response: JsonValue) => readonly JsonValue[];
}

/**
 * The pages of one run of a job, each as soon as it was answered; the next one is asked for when the caller comes back. An answer that is
 * the same as the one before ends the run and is no page.
 */
export async function* pagesOf({ jobId, job, pagination, log, ask, itemsOf }: PagesAsked): AsyncGenerator<Page, void> {
  const scroller = pagination.startScroller(job, log);
  const stopping = pagination.startStopping(log);
  let before: JsonValue | undefined;
  for (let request: JobRequest | undefined = scroller.first(); request !== undefined;) {
    const response = await ask(request);
    if (before !== undefined && isSame(response, before)) {
      log.debug(`Job '${jobId}' finished when last response matched the previous!`);
      return;
    }
    before = response;
    const page: Page = { response, items: itemsOf(response) };
    yield page;
    request = stopping.isOver(page) ? undefined : scroller.next(page);
  }
}
