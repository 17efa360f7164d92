import { ExtractorError } from '../values/extractor-error.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import { fieldOf, valueAt, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isNumeric, numberOf } from '../values/loose.ts';
import { jsonText } from '../values/json-text.ts';
import { flagOr, neededName } from './page-fields.ts';
import { withParams, type JobRequest, type Page, type Scroller, type StartScroller } from './scroller.ts';

interface CursorSettings {
  readonly idKey: string;
  readonly param: string;
  /** The smallest id counts. */
  readonly reverse: boolean;
  readonly increment: number;
}

/** Method `cursor`: a page begins behind the largest id so far. */
export function cursorPagination(settings: JsonObject): StartScroller {
  const known: CursorSettings = {
    idKey: neededName(settings, 'idKey', 'cursor'),
    param: neededName(settings, 'param', 'cursor'),
    reverse: flagOr(settings, 'reverse', false),
    increment: numberOf(fieldOf(settings, 'increment')),
  };
  return (job, log) => new CursorScroller(known, job, log);
}

class CursorScroller implements Scroller {
  readonly #settings: CursorSettings;
  readonly #job: JobRequest;
  readonly #log: ExtractorLog;
  #cursor: number | bigint | undefined;

  constructor(settings: CursorSettings, job: JobRequest, log: ExtractorLog) {
    this.#settings = settings;
    this.#job = job;
    this.#log = log;
  }

  first(): JobRequest {
    return this.#job;
  }

  next({ items }: Page): JobRequest | undefined {
    if (items.length === 0) {
      this.#log.info('No data in response, stopping scrolling.');
      return undefined;
    }
    const { idKey, param } = this.#settings;
    for (const item of items) this.#take(cursorOf(valueAt(item, idKey)));
    return withParams(this.#job, { [param]: this.#value() });
  }

  #take(id: number | bigint): void {
    const { reverse } = this.#settings;
    if (this.#cursor === undefined || (reverse ? id < this.#cursor : id > this.#cursor)) this.#cursor = id;
  }

  #value(): JsonValue {
    const { increment } = this.#settings;
    const cursor = this.#cursor ?? 0;
    if (typeof cursor === 'number' && Number.isSafeInteger(cursor + increment)) return cursor + increment;
    return Number.isInteger(increment) && (typeof cursor === 'bigint' || Number.isInteger(cursor))
      ? BigInt(cursor) + BigInt(increment)
      : Number(cursor) + increment;
  }
}

function cursorOf(id: JsonValue | undefined): number | bigint {
  if (typeof id === 'bigint') return id;
  if (!isNumeric(id)) {
    const text = typeof id === 'string' ? id : jsonText(id ?? null);
    throw new ExtractorError(`Cursor value '${text}' is not numeric.`);
  }
  const digits = typeof id === 'string' ? id.trim() : '';
  if (/^[+-]?\d{16,}$/.test(digits)) return BigInt(digits.replace(/^\+/, ''));
  return numberOf(id);
}
