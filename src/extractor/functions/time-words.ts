/** What a relative time counts. */
export type TimeUnit = 'second' | 'minute' | 'hour' | 'day' | 'weekday' | 'week' | 'fortnight' | 'month' | 'year';

/** A pattern whose group is the name of a unit. */
export const unitWords =
  '(sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weekdays?|weeks?|fortnights?|forthnights?|months?|years?)\\b';

/** A pattern whose group is the name of a day. */
export const weekdayWords =
  '(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)\\b';

const units: readonly (readonly [string, TimeUnit])[] = [
  ['sec', 'second'],
  ['min', 'minute'],
  ['hour', 'hour'],
  ['day', 'day'],
  ['weekday', 'weekday'],
  ['week', 'week'],
  ['fort', 'fortnight'],
  ['month', 'month'],
  ['year', 'year'],
];

export function relativeUnit(word: string): TimeUnit {
  return units.find(([beginning]) => word.startsWith(beginning))?.[1] ?? 'second';
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** 0 is Sunday. */
export function weekdayOf(word: string): number {
  return weekdays.indexOf(word.slice(0, 3));
}

const numbers = [
  'this',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
];

export function relativeNumber(word: string): number {
  if (word === 'next') return 1;
  return word === 'last' || word === 'previous' ? -1 : numbers.indexOf(word);
}
