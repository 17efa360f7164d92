import type { ExtractorLog } from '../values/extractor-log.ts';
import { fieldOf, type JsonObject } from '../values/json-value.ts';
import { integerOf } from '../values/loose.ts';
import { flagOr, limitOf, nameOr, ownLimit } from './page-fields.ts';
import { withParams, type JobRequest, type Page, type Scroller, type StartScroller } from './scroller.ts';

interface PageSettings {
  readonly limit: number | undefined;
  readonly limitParam: string;
  readonly pageParam: string;
  readonly firstPage: number;
  readonly firstPageParams: boolean;
}

/** Method `pagenum`: pages by their number. */
export function pageNumberPagination(settings: JsonObject): StartScroller {
  const firstPage = fieldOf(settings, 'firstPage');
  const known: PageSettings = {
    limit: limitOf(settings),
    limitParam: nameOr(settings, 'limitParam', 'limit'),
    pageParam: nameOr(settings, 'pageParam', 'page'),
    firstPage: firstPage === undefined || firstPage === null ? 1 : integerOf(firstPage),
    firstPageParams: flagOr(settings, 'firstPageParams', true),
  };
  return (job, log) => new PageNumberScroller(known, job, log);
}

class PageNumberScroller implements Scroller {
  readonly #settings: PageSettings;
  readonly #job: JobRequest;
  readonly #log: ExtractorLog;
  readonly #limit: number | undefined;
  #page: number;

  constructor(settings: PageSettings, job: JobRequest, log: ExtractorLog) {
    this.#settings = settings;
    this.#job = job;
    this.#log = log;
    this.#limit = ownLimit(job.params, settings.limitParam) ?? settings.limit;
    this.#page = settings.firstPage;
  }

  first(): JobRequest {
    return this.#settings.firstPageParams ? this.#request() : this.#job;
  }

  next({ items }: Page): JobRequest | undefined {
    if (items.length === 0) return this.#stop('Pagination stopped, response is empty.');
    if (this.#limit !== undefined && items.length < this.#limit)
      return this.#stop('Pagination stopped, response is smaller than limit.');
    this.#page += 1;
    return this.#request();
  }

  #request(): JobRequest {
    const { pageParam, limitParam } = this.#settings;
    const limit = this.#limit === undefined ? {} : { [limitParam]: this.#limit };
    return withParams(this.#job, { [pageParam]: this.#page, ...limit });
  }

  #stop(why: string): undefined {
    this.#log.info(why);
  }
}
