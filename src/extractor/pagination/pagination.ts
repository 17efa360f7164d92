import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import { cursorPagination } from './cursor.ts';
import { offsetPagination } from './offset.ts';
import { pageNumberPagination } from './page-number.ts';
import { responseParamPagination } from './response-param.ts';
import { responseUrlPagination, zendeskPagination } from './response-url.ts';
import { oneRequest, type StartScroller } from './scroller.ts';
import { stoppingConditions, type Stopping } from './stopping.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';

export interface Clocks {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds by a clock that never goes back. */
  readonly monotonic: () => number;
}

/** How a job goes from page to page, ready to be started for each of its runs. */
export interface Pagination {
  readonly startScroller: StartScroller;
  readonly startStopping: (log: ExtractorLog) => Stopping;
}

type Method = (settings: JsonObject, clocks: Clocks) => StartScroller;

const methods: Readonly<Record<string, Method>> = {
  offset: offsetPagination,
  pagenum: pageNumberPagination,
  cursor: cursorPagination,
  'response.url': responseUrlPagination,
  'response.param': responseParamPagination,
  'zendesk.response.url': (settings, { now }) => zendeskPagination(settings, now),
};

/** Which pagination a job has, by the name of its `scroller`. */
export type PaginationOf = (scroller: JsonValue | undefined) => Pagination;

/** Reads `api.pagination`. What is wrong with it is an `ExtractorError` before anything is asked for. */
export function parsePagination(value: JsonValue | undefined, clocks: Clocks): PaginationOf {
  if (isEmpty(value) || !isObject(value)) return () => without;
  if (fieldOf(value, 'method') !== 'multiple') {
    const pagination = paginationOf(value, clocks);
    return () => pagination;
  }
  return multiple(value, clocks);
}

const none: Stopping = { isOver: () => false };
const without: Pagination = { startScroller: oneRequest, startStopping: () => none };

function paginationOf(settings: JsonObject, clocks: Clocks): Pagination {
  return {
    startScroller: methodOf(settings)(settings, clocks),
    startStopping: stoppingConditions(settings, clocks.monotonic),
  };
}

function methodOf(settings: JsonObject): Method {
  const name = fieldOf(settings, 'method');
  if (isEmpty(name)) return () => oneRequest;
  const method = typeof name === 'string' && Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (method === undefined) throw new ExtractorError(`Unknown pagination method '${shown(name)}'`);
  return method;
}

function multiple(settings: JsonObject, clocks: Clocks): PaginationOf {
  const { scrollers, default: usual } = settings;
  if (!isObject(scrollers) || Object.keys(scrollers).length === 0)
    throw new ExtractorError(
      "At least one scroller must be configured for 'multiple' pagination in 'pagination.scrollers'.",
    );
  const known = new Map<string, Pagination>();
  for (const [name, each] of Object.entries(scrollers)) {
    if (!isObject(each)) throw new ExtractorError(`Scroller '${name}' must be an object.`);
    known.set(name, paginationOf(each, clocks));
  }
  const find = (name: JsonValue): Pagination => {
    const found = typeof name === 'string' ? known.get(name) : undefined;
    if (found !== undefined) return found;
    throw new ExtractorError(
      `Scroller '${shown(name)}' not set in API definitions. Scrollers defined: ${[...known.keys()].join(', ')}`,
    );
  };
  if (usual !== undefined && !isEmpty(usual)) find(usual);
  return (scroller) => {
    if (scroller !== undefined && !isEmpty(scroller)) return find(scroller);
    return usual === undefined || isEmpty(usual) ? without : find(usual);
  };
}
