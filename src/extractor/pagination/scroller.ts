import type { ExtractorLog } from '../values/extractor-log.ts';
import type { JsonObject, JsonValue } from '../values/json-value.ts';

/** What a job asks for, before its address is resolved; parameters in the order in which they are sent. */
export interface JobRequest {
  readonly endpoint: string;
  /** As the job writes it. */
  readonly method: JsonValue | undefined;
  readonly params: JsonObject;
  /** Headers of this request alone. */
  readonly headers: JsonObject;
}

/** An answer, decoded, and the items that were found in it, filtered. */
export interface Page {
  readonly response: JsonValue;
  readonly items: readonly JsonValue[];
}

/** Makes the requests of one run of one job; it is made anew for each run. */
export interface Scroller {
  /** The first request. */
  first(): JobRequest;
  /** The request behind a page; undefined when that was the last one. It says why. */
  next(page: Page): JobRequest | undefined;
}

/** What a method of pagination makes of a job. */
export type StartScroller = (job: JobRequest, log: ExtractorLog) => Scroller;

/** A job without pagination: one request. */
export const oneRequest: StartScroller = (job) => ({ first: () => job, next: () => undefined });

/** Parameters that keep their place where they are there already; the others follow. */
export function withParams(job: JobRequest, params: JsonObject): JobRequest {
  return { ...job, params: { ...job.params, ...params } };
}
