import { ExtractorError } from '../values/extractor-error.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import { fieldOf, isObject, valueAt, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { integerOf, isEmpty, isNumeric, isTruthy, numberOf, typeOf } from '../values/loose.ts';
import { jsonText } from '../values/json-text.ts';
import type { Page } from './scroller.ts';

/** Says behind each page whether that was the last one, and tells the log why. Made anew for each run of a job. */
export interface Stopping {
  isOver(page: Page): boolean;
}

/** A condition of a run that begins now. */
type StartStopping = (log: ExtractorLog) => Stopping;

/** Time in milliseconds by a clock that never goes back. */
type Monotonic = () => number;

/** The conditions that every method of pagination has, in the order in which they are asked. */
export function stoppingConditions(pagination: JsonObject, monotonic: Monotonic): StartStopping {
  const conditions = [
    limitStop(fieldOf(pagination, 'limitStop')),
    forceStop(fieldOf(pagination, 'forceStop'), monotonic),
    nextPageFlag(fieldOf(pagination, 'nextPageFlag')),
  ].filter((condition) => condition !== undefined);
  return (log) => {
    const running = conditions.map((start) => start(log));
    return { isOver: (page) => running.some((condition) => condition.isOver(page)) };
  };
}

function limitStop(settings: JsonValue | undefined): StartStopping | undefined {
  if (!isObject(settings)) return undefined;
  const { count, field } = settings;
  if (isEmpty(count) && isEmpty(field))
    throw new ExtractorError("One of 'limitStop.field' or 'limitStop.count' attributes is required.");
  if (!isEmpty(count) && !isEmpty(field))
    throw new ExtractorError("Specify only one of 'limitStop.field' or 'limitStop.count'.");
  const limitOf = ({ response }: Page): number =>
    typeof field === 'string' && !isEmpty(field) ? integerOf(valueAt(response, field)) : integerOf(count);
  return (log) => {
    let items = 0;
    return {
      isOver: (page) => {
        items += page.items.length;
        const limit = limitOf(page);
        if (items < limit) return false;
        log.info(`Limit reached, stopping scrolling. Current count: ${items}, limit: ${limit}`);
        return true;
      },
    };
  };
}

/** A bound that is reached, for people. */
interface Bound {
  readonly name: string;
  readonly unit: string;
  readonly limit: number;
  readonly isReached: () => boolean;
}

function forceStop(settings: JsonValue | undefined, monotonic: Monotonic): StartStopping | undefined {
  if (!isObject(settings)) return undefined;
  const [pages, volume] = [amountOf(settings, 'pages'), amountOf(settings, 'volume')];
  const seconds = secondsOf(fieldOf(settings, 'time'));
  return (log) => {
    const begun = monotonic();
    let [count, bytes] = [0, 0];
    const bounds: readonly Bound[] = [
      { name: 'page', unit: 'pages', limit: pages, isReached: () => count >= pages },
      { name: 'time', unit: 'seconds', limit: seconds, isReached: () => monotonic() - begun >= seconds * 1000 },
      { name: 'volume', unit: 'bytes', limit: volume, isReached: () => bytes > volume },
    ];
    return {
      isOver: ({ response }) => {
        count += 1;
        if (volume < Number.POSITIVE_INFINITY) bytes += jsonText(response).length;
        const reached = bounds.find(({ isReached }) => isReached());
        if (reached === undefined) return false;
        log.info(`Force stopping: ${reached.name} limit reached (${reached.limit} ${reached.unit}).`);
        return true;
      },
    };
  };
}

/** Infinite where it is not given. */
function amountOf(settings: JsonObject, name: string): number {
  const value = fieldOf(settings, name);
  if (value === undefined || isEmpty(value)) return Number.POSITIVE_INFINITY;
  if (!isNumeric(value))
    throw new ExtractorError(`Parameter 'forceStop.${name}' is not numeric. Value '${jsonText(value)}'.`);
  return numberOf(value);
}

const unitSeconds = { second: 1, sec: 1, minute: 60, min: 60, hour: 3600, day: 86_400, week: 604_800 } as const;

/** Seconds, or words such as `90 seconds`, `+2 hours` and `1 hour 30 minutes`; infinite where nothing is given. */
function secondsOf(value: JsonValue | undefined): number {
  if (value === undefined || isEmpty(value)) return Number.POSITIVE_INFINITY;
  if (isNumeric(value)) return numberOf(value);
  const parts = typeof value === 'string' ? [...value.trim().matchAll(/\+?\s*(\d+)\s*([a-z]+?)s?(?:\s+|$)/gi)] : [];
  const text = parts.map(([part]) => part).join('');
  const seconds = parts.map(([, amount, unit = '']) => Number(amount) * (secondsOfUnit(unit) ?? Number.NaN));
  const sum = seconds.reduce((total, one) => total + one, 0);
  if (parts.length > 0 && text === (value as string).trim() && !Number.isNaN(sum)) return sum;
  throw new ExtractorError(
    `Parameter 'forceStop.time' must be seconds or a time such as "2 hours". Value '${jsonText(value)}'.`,
  );
}

function secondsOfUnit(unit: string): number | undefined {
  const name = unit.toLowerCase();
  return Object.entries(unitSeconds).find(([known]) => known === name)?.[1];
}

function nextPageFlag(settings: JsonValue | undefined): StartStopping | undefined {
  if (!isObject(settings)) return undefined;
  const { field, stopOn, ifNotSet } = settings;
  if (isEmpty(field) || typeof field !== 'string')
    throw new ExtractorError("'field' has to be specified for 'nextPageFlag'");
  if (typeof stopOn !== 'boolean') {
    const given = stopOn === undefined ? '' : `, given '${typeOf(stopOn)}' type.`;
    throw new ExtractorError(`'stopOn' value must be set to a boolean value for 'nextPageFlag'${given}`);
  }
  if (ifNotSet !== undefined && typeof ifNotSet !== 'boolean')
    throw new ExtractorError(`'ifNotSet' value must be boolean, given '${typeOf(ifNotSet)}' type.`);
  return (log) => ({
    isOver: ({ response }) => {
      const found = isObject(response) ? fieldOf(response, field) : undefined;
      const flag = found === undefined || found === null ? (ifNotSet ?? stopOn) : isTruthy(found);
      if (flag !== stopOn) return false;
      log.info(`Stopping scrolling because '${field}' is '${flag}'`);
      return true;
    },
  });
}
