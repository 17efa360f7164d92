import { createHash } from 'node:crypto';
import { parseRecursionFilter, type ItemFilter } from '../children/recursion-filter.ts';
import { parseDataField, type DataField } from '../items/items.ts';
import { mostPaths, type ResponseFilter } from '../items/response-filter.ts';
import type { Pagination, PaginationOf } from '../pagination/pagination.ts';
import type { JobRequest } from '../pagination/scroller.ts';
import { parseMethod } from '../requests/request.ts';
import { safeName } from '../tables/safe-name.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isList, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { jsonText } from '../values/json-text.ts';
import { isEmpty } from '../values/loose.ts';

/** A job as it is written: its functions and placeholders are those of its runs. */
export interface Job {
  readonly id: string;
  readonly request: JobRequest;
  readonly dataType: string;
  readonly dataField: DataField | undefined;
  readonly filter: ResponseFilter | undefined;
  readonly pagination: Pagination;
  /** Columns that its rows get besides. */
  readonly userData: JsonObject;
  readonly placeholders: JsonObject;
  /** Which items of the parent it runs for; undefined: all. */
  readonly chooses: ItemFilter | undefined;
  readonly children: readonly Job[];
}

export interface JobsOf {
  readonly paginationOf: PaginationOf;
  /** False below level 3 of compatibility. */
  readonly encodesScalars: boolean;
}

/** Jobs by their ids: of several with one id the last one is kept, at the place of the first. */
export function parseJobs(jobs: JsonValue, of: JobsOf): readonly Job[] {
  const list = isList(jobs) ? jobs : isObject(jobs) ? Object.values(jobs) : [];
  const known = new Map<string, Job>();
  for (const each of list) {
    if (!isObject(each)) throw new ExtractorError(`Job configuration must be an array: ${shown(each)}`);
    const job = parseJob(each, of);
    known.set(job.id, job);
  }
  return [...known.values()];
}

function parseJob(job: JsonObject, of: JobsOf): Job {
  const params = paramsOf(fieldOf(job, 'params'));
  const endpoint = endpointOf(fieldOf(job, 'endpoint'));
  const children = fieldOf(job, 'children');
  if (!isEmpty(children) && !isList(children) && !isObject(children))
    throw new ExtractorError("The 'children' property must an array of jobs.");
  const method = fieldOf(job, 'method');
  parseMethod(method);
  const type = fieldOf(job, 'dataType');
  const dataType = isEmpty(type) ? endpoint : shown(type);
  if (safeName(dataType) === '')
    throw new ExtractorError(`The table of the endpoint "${endpoint}" has no name. Give the job a 'dataType'.`);
  return {
    id: idOf(job),
    request: { endpoint, method, params, headers: headersOf(fieldOf(job, 'headers')) },
    dataType,
    dataField: parseDataField(fieldOf(job, 'dataField')),
    filter: filterOf(job, of.encodesScalars),
    pagination: of.paginationOf(fieldOf(job, 'scroller')),
    userData: userDataOf(fieldOf(job, 'userData'), 'job_parent_id'),
    placeholders: objectOf(fieldOf(job, 'placeholders')),
    chooses: choosesOf(fieldOf(job, 'recursionFilter')),
    children: children === undefined || isEmpty(children) ? [] : parseJobs(children, of),
  };
}

function idOf(job: JsonObject): string {
  const id = fieldOf(job, 'id');
  return isEmpty(id) ? createHash('md5').update(jsonText(job)).digest('hex') : shown(id);
}

function endpointOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null || value === '')
    throw new ExtractorError("The 'endpoint' property must be set in job.");
  if (typeof value === 'string') return value;
  throw new ExtractorError('The "endpoint" property must be specified in request as a string.');
}

/** A list is what its positions are the names for. */
function paramsOf(value: JsonValue | undefined): JsonObject {
  if (value === undefined || isEmpty(value)) return {};
  if (isList(value) || isObject(value)) return { ...(value as JsonObject) };
  throw new ExtractorError("The 'params' property must be an array.");
}

function headersOf(value: JsonValue | undefined): JsonObject {
  if (value === undefined || isEmpty(value)) return {};
  if (isObject(value)) return value;
  throw new ExtractorError('The "headers" property must be an array.');
}

function filterOf(job: JsonObject, encodesScalars: boolean): ResponseFilter | undefined {
  const filter = fieldOf(job, 'responseFilter');
  if (filter === undefined || isEmpty(filter)) return undefined;
  const paths = isList(filter) ? filter : [filter];
  const delimiter = fieldOf(job, 'responseFilterDelimiter');
  if (!paths.every((path) => typeof path === 'string'))
    throw new ExtractorError("'responseFilter' must be a path or a list of paths.");
  if (paths.length > mostPaths) throw new ExtractorError(`'responseFilter' has more than ${mostPaths} paths.`);
  return { paths, delimiter: isEmpty(delimiter) ? '.' : shown(delimiter), encodesScalars };
}

function choosesOf(filter: JsonValue | undefined): ItemFilter | undefined {
  return isEmpty(filter) ? undefined : parseRecursionFilter(shown(filter));
}

/** A single value is the one of that column. */
export function userDataOf(value: JsonValue | undefined, column: string): JsonObject {
  if (value === undefined || isEmpty(value)) return {};
  if (isList(value)) return { ...(value as unknown as JsonObject) };
  return isObject(value) ? value : { [column]: value };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
