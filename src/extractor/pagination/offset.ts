import { ExtractorError } from '../values/extractor-error.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import { fieldOf, type JsonObject } from '../values/json-value.ts';
import { integerOf, isEmpty } from '../values/loose.ts';
import { flagOr, limitOf, missing, nameOr, ownLimit } from './page-fields.ts';
import { withParams, type JobRequest, type Page, type Scroller, type StartScroller } from './scroller.ts';

interface OffsetSettings {
  readonly limit: number;
  readonly limitParam: string;
  readonly offsetParam: string;
  readonly firstPageParams: boolean;
  readonly offsetFromJob: boolean;
  /** It goes on behind a page that is short, until one is empty: for servers that cap the size of a page. */
  readonly untilEmpty: boolean;
}

/** Offset pagination, by the rules of the specification ("Offset pagination rules" of the seed). */
export function offsetPagination(settings: JsonObject): StartScroller {
  const limit = limitOf(settings);
  if (limit === undefined) throw missing('limit', 'offset');
  const known: OffsetSettings = {
    limit,
    limitParam: nameOr(settings, 'limitParam', 'limit'),
    offsetParam: nameOr(settings, 'offsetParam', 'offset'),
    firstPageParams: flagOr(settings, 'firstPageParams', true),
    offsetFromJob: flagOr(settings, 'offsetFromJob', false),
    untilEmpty: isUntilEmpty(settings),
  };
  // Thousands of child jobs end like that; it is said once.
  const told = new Set<string>();
  return (job, log) => new OffsetScroller(known, job, withOnce(log, told));
}

/** Each warning once. */
function withOnce(log: ExtractorLog, told: Set<string>): ExtractorLog {
  return {
    debug: (text) => log.debug(text),
    info: (text) => log.info(text),
    warning: (text) => {
      if (!told.has(text)) log.warning(text);
      told.add(text);
    },
  };
}

function isUntilEmpty(settings: JsonObject): boolean {
  const value = fieldOf(settings, 'stopWhen');
  if (isEmpty(value) || value === 'shortPage') return false;
  if (value === 'emptyPage') return true;
  throw new ExtractorError('Parameter \'pagination.stopWhen\' must be "shortPage" or "emptyPage".');
}

class OffsetScroller implements Scroller {
  readonly #settings: OffsetSettings;
  readonly #job: JobRequest;
  readonly #log: ExtractorLog;
  readonly #limit: number;
  #offset: number;
  #pages = 0;

  constructor(settings: OffsetSettings, job: JobRequest, log: ExtractorLog) {
    const { offsetFromJob, offsetParam, limitParam } = settings;
    this.#settings = settings;
    this.#job = job;
    this.#log = log;
    this.#limit = ownLimit(job.params, limitParam) ?? settings.limit;
    this.#offset = offsetFromJob ? integerOf(fieldOf(job.params, offsetParam)) : 0;
  }

  first(): JobRequest {
    return this.#settings.firstPageParams ? this.#request() : this.#job;
  }

  next({ items }: Page): JobRequest | undefined {
    this.#pages += 1;
    const { untilEmpty } = this.#settings;
    const isShort = items.length < this.#limit;
    if (items.length === 0 || (isShort && !untilEmpty)) return this.#stop(items.length);
    // A server that caps its pages has given fewer items than were asked for: none of the rest may be passed over.
    this.#offset += untilEmpty && isShort ? items.length : this.#limit;
    return this.#request();
  }

  #request(): JobRequest {
    const { limitParam, offsetParam } = this.#settings;
    return withParams(this.#job, { [limitParam]: this.#limit, [offsetParam]: this.#offset });
  }

  #stop(count: number): undefined {
    this.#log.info('Offset limit reached, stopping scrolling.');
    this.#log.info(`The last page held ${count} ${count === 1 ? 'item' : 'items'}, the limit is ${this.#limit}.`);
    if (this.#pages === 1 && count > 0)
      this.#log.warning(
        `Already the first page was short: it held ${count} of ${this.#limit} items. If the API gives no more than that in a page, set 'pagination.limit' to it, or 'pagination.stopWhen' to "emptyPage".`,
      );
  }
}
