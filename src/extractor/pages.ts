import type { Pagination } from './pagination/pagination.ts';
import type { JobRequest, Page, Scroller } from './pagination/scroller.ts';
import type { Stopping } from './pagination/stopping.ts';
import type { DecodedAnswer } from './requests/decode.ts';
import type { ExtractorLog } from './values/extractor-log.ts';
import type { JsonValue } from './values/json-value.ts';
import { isSame } from './values/same.ts';

export interface PagesAsked {
  /** For the log. */
  readonly jobId: string;
  readonly job: JobRequest;
  readonly pagination: Pagination;
  readonly log: ExtractorLog;
  /** The decoded answer to a request. */
  readonly ask: (request: JobRequest) => Promise<DecodedAnswer>;
  /** The items of an answer, filtered. */
  readonly itemsOf: (response: JsonValue) => readonly JsonValue[];
}

export type AnsweredPage = Page & DecodedAnswer;

/** The pages of one run of a job, each asked for when the caller says so. */
export class Pages {
  readonly #asked: PagesAsked;
  readonly #scroller: Scroller;
  readonly #stopping: Stopping;
  #before: Page | undefined;

  constructor(asked: PagesAsked) {
    const { pagination, job, log } = asked;
    this.#asked = asked;
    this.#scroller = pagination.startScroller(job, log);
    this.#stopping = pagination.startStopping(log);
  }

  /** Undefined behind the last one. An answer that is the same as the one before ends the run and is no page. */
  async next(): Promise<AnsweredPage | undefined> {
    const { jobId, log, ask, itemsOf } = this.#asked;
    const request = this.#request();
    if (request === undefined) return undefined;
    const answer = await ask(request);
    if (this.#before !== undefined && isSame(answer.response, this.#before.response)) {
      log.debug(`Job '${jobId}' finished when last response matched the previous!`);
      return undefined;
    }
    const { response } = answer;
    const items = itemsOf(response);
    // Its body is for the caller alone.
    this.#before = { response, items };
    return { ...answer, items };
  }

  #request(): JobRequest | undefined {
    if (this.#before === undefined) return this.#scroller.first();
    return this.#stopping.isOver(this.#before) ? undefined : this.#scroller.next(this.#before);
  }
}
