import { ExtractorError } from '../values/extractor-error.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import { isList, isObject, valueAt, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';

/** Where a job finds the items of a page. */
export interface ItemPlace {
  readonly endpoint: string;
  /** Undefined: the one array of the page. */
  readonly dataField: DataField | undefined;
}

export interface DataField {
  /** `.` is the whole page. */
  readonly path: string;
  readonly delimiter: string;
}

/** Reads `dataField` of a job: a path, or a path with its delimiter. Empty: undefined. */
export function parseDataField(value: JsonValue | undefined): DataField | undefined {
  if (isObject(value)) {
    const { path, delimiter = '.' } = value;
    if (typeof path !== 'string') throw new ExtractorError("'dataField.path' must be set!");
    if (typeof delimiter !== 'string' || delimiter === '')
      throw new ExtractorError("'dataField.delimiter' must be a text!");
    return { path, delimiter };
  }
  if (isEmpty(value)) return undefined;
  if (typeof value !== 'string') throw new ExtractorError("'dataField' must be a path or an object with 'path'.");
  return { path: value, delimiter: '.' };
}

/**
 * The items of a page. An empty place is a warning and no items; a page that could mean several arrays, or none at all, is an
 * `ExtractorError`.
 */
export function findItems(page: JsonValue, place: ItemPlace, log: ExtractorLog): readonly JsonValue[] {
  return place.dataField === undefined ? ownArray(page, place.endpoint, log) : atField(page, place.dataField, log);
}

function ownArray(page: JsonValue, endpoint: string, log: ExtractorLog): readonly JsonValue[] {
  if (isList(page)) return page;
  if (!isObject(page)) throw new ExtractorError('Unknown response from API.');
  const arrays = Object.entries(page).filter(([, value]) => isList(value));
  const [only] = arrays;
  if (only === undefined) {
    log.warning(`No data array found in response! (endpoint: ${endpoint})`);
    return [];
  }
  if (arrays.length === 1) return isList(only[1]) ? only[1] : [];
  const names = arrays.map(([name]) => name).join(', ');
  throw new ExtractorError(
    `More than one array found in response! Use 'dataField' parameter to specify a key to the data array. (endpoint: ${endpoint}, arrays in response root: ${names})`,
  );
}

function atField(page: JsonValue, { path, delimiter }: DataField, log: ExtractorLog): readonly JsonValue[] {
  const found = path === '.' ? page : valueAt(page, path, delimiter);
  if (found !== undefined && !isEmpty(found)) return isList(found) ? found : [found];
  log.warning(`dataField '${path}' contains no data! Expected a non-empty array.`);
  return [];
}
