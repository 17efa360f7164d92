import type { ExtractorLog } from '../values/extractor-log.ts';
import { valueAt, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import { queryParams } from '../values/query-text.ts';
import { flagOr, nameOr } from './page-fields.ts';
import type { JobRequest, Page, Scroller, StartScroller } from './scroller.ts';

interface UrlSettings {
  readonly urlKey: string;
  readonly delimiter: string;
  readonly includeParams: boolean;
  readonly paramIsQuery: boolean;
  /** True for the address of a page that is not asked for any more. */
  readonly isOver: (url: string) => boolean;
}

/** Method `response.url`: the page says where the next one is, by a URL or by a query. */
export function responseUrlPagination(settings: JsonObject): StartScroller {
  const known = urlSettings(settings, () => false);
  return (job, log) => new ResponseUrlScroller(known, job, log);
}

/** The API gives no events younger than that. */
const zendeskDelayMs = 6 * 60_000;

/** Method `zendesk.response.url`: it stops, too, when the next page begins less than six minutes ago. `now` in milliseconds. */
export function zendeskPagination(settings: JsonObject, now: () => number): StartScroller {
  const isTooYoung = (url: string): boolean => {
    const start = new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('start_time');
    return start !== null && Number(start) * 1000 > now() - zendeskDelayMs;
  };
  const known = urlSettings(settings, isTooYoung);
  return (job, log) => new ResponseUrlScroller(known, job, log);
}

function urlSettings(settings: JsonObject, isOver: UrlSettings['isOver']): UrlSettings {
  return {
    urlKey: nameOr(settings, 'urlKey', 'next_page'),
    delimiter: nameOr(settings, 'delimiter', '.'),
    includeParams: flagOr(settings, 'includeParams', false),
    paramIsQuery: flagOr(settings, 'paramIsQuery', false),
    isOver,
  };
}

class ResponseUrlScroller implements Scroller {
  readonly #settings: UrlSettings;
  readonly #job: JobRequest;
  readonly #log: ExtractorLog;

  constructor(settings: UrlSettings, job: JobRequest, log: ExtractorLog) {
    this.#settings = settings;
    this.#job = job;
    this.#log = log;
  }

  first(): JobRequest {
    return this.#job;
  }

  next({ response }: Page): JobRequest | undefined {
    const { urlKey, delimiter, includeParams, paramIsQuery, isOver } = this.#settings;
    const url = textOf(valueAt(response, urlKey, delimiter));
    if (url === undefined || isOver(url)) {
      this.#log.info('No more pages, stopping pagination.');
      return undefined;
    }
    const params = includeParams ? this.#job.params : {};
    if (!paramIsQuery) return { ...this.#job, endpoint: url, params };
    return { ...this.#job, params: { ...params, ...Object.fromEntries(queryParams(url)) } };
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return isEmpty(value) || typeof value === 'object' || value === undefined ? undefined : String(value);
}
