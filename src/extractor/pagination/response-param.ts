import { ExtractorError } from '../values/extractor-error.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import { fieldOf, isObject, valueAt, type JsonObject } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import { flagOr, neededName } from './page-fields.ts';
import { withParams, type JobRequest, type Page, type Scroller, type StartScroller } from './scroller.ts';

interface ParamSettings {
  readonly responseParam: string;
  readonly queryParam: string;
  readonly includeParams: boolean;
  /** Fields of a job that count from the second page on. */
  readonly scrollRequest: JsonObject;
}

/** Method `response.param`: a value of the page is a parameter of the next request. */
export function responseParamPagination(settings: JsonObject): StartScroller {
  const scrollRequest = fieldOf(settings, 'scrollRequest') ?? {};
  if (!isObject(scrollRequest)) throw new ExtractorError("Parameter 'pagination.scrollRequest' must be an object.");
  const known: ParamSettings = {
    responseParam: neededName(settings, 'responseParam', 'response.param'),
    queryParam: neededName(settings, 'queryParam', 'response.param'),
    includeParams: flagOr(settings, 'includeParams', false),
    scrollRequest,
  };
  return (job, log) => new ResponseParamScroller(known, job, log);
}

class ResponseParamScroller implements Scroller {
  readonly #settings: ParamSettings;
  readonly #job: JobRequest;
  readonly #log: ExtractorLog;

  constructor(settings: ParamSettings, job: JobRequest, log: ExtractorLog) {
    this.#settings = settings;
    this.#job = job;
    this.#log = log;
  }

  first(): JobRequest {
    return this.#job;
  }

  next({ response }: Page): JobRequest | undefined {
    const { responseParam, queryParam, includeParams, scrollRequest } = this.#settings;
    const value = valueAt(response, responseParam);
    if (value === undefined || isEmpty(value)) {
      this.#log.info('No more pages found, stopping pagination.');
      return undefined;
    }
    const { params } = this.#job;
    const job = { ...this.#job, params: includeParams ? params : {} };
    return withParams(scrolling(job, scrollRequest), { [queryParam]: value });
  }
}

function scrolling(job: JobRequest, scrollRequest: JsonObject): JobRequest {
  const { endpoint, method, params, headers } = scrollRequest;
  return {
    endpoint: typeof endpoint === 'string' ? endpoint : job.endpoint,
    method: method ?? job.method,
    params: isObject(params) ? { ...job.params, ...params } : job.params,
    headers: isObject(headers) ? { ...job.headers, ...headers } : job.headers,
  };
}
