import type { ApiClient } from './api-client.ts';
import { withPlaceholders, type FilledPlaceholder } from './children/placeholders.ts';
import type { Iteration } from './configuration/parse-iteration.ts';
import type { Job } from './configuration/parse-job.ts';
import { evaluateFields } from './functions/evaluate.ts';
import { findItems } from './items/items.ts';
import { filtered } from './items/response-filter.ts';
import type { PagesAsked } from './pages.ts';
import { decodeIgnored } from './requests/decode.ts';
import type { ItemSource } from './tables/spooled-pages.ts';
import type { ExtractorLog } from './values/extractor-log.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

/** Where a job stands. */
export interface Above {
  /** The item that it runs for, then that of its parent, and so on. */
  readonly items: readonly JsonValue[];
  /** Its own placeholders and those of all levels above, by their names. */
  readonly filled: ReadonlyMap<string, FilledPlaceholder>;
  readonly userData: JsonObject;
}

/** Above a job of the configuration. */
export const nothing: Above = { items: [], filled: new Map(), userData: {} };

export interface JobAsked {
  readonly iteration: Iteration;
  readonly client: Pick<ApiClient, 'ask'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What one run of a job asks for: its functions are called now, and its placeholders are filled. */
export function askedBy(job: Job, above: Above, { iteration, client, now }: JobAsked): PagesAsked {
  const { log, references } = iteration;
  const { dataField, filter } = job;
  const endpoint = withPlaceholders(job.request.endpoint, [...above.filled.values()]);
  const params = evaluateFields(job.request.params, { references, now: now() });
  return {
    jobId: job.id,
    job: { ...job.request, endpoint, params },
    pagination: job.pagination,
    log,
    ask: (request) => client.ask(request),
    itemsOf: (response) => {
      const items = findItems(response, { endpoint, dataField }, log);
      return filter === undefined ? items : items.map((item) => filtered(item, filter));
    },
  };
}

const noLog: ExtractorLog = { debug: () => undefined, info: () => undefined, warning: () => undefined };

/** Finds the items of a page of the job once more, in the body of its answer. */
export function itemsReader({ request: { endpoint }, dataField, filter }: Job): ItemSource['itemsOf'] {
  return (body) => {
    const { response } = decodeIgnored({ body }, () => undefined);
    const items = findItems(response, { endpoint, dataField }, noLog);
    return filter === undefined ? items : items.map((item) => filtered(item, filter));
  };
}
