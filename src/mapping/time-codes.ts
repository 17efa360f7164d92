/** Writes one part of a time, by its UTC fields. */
export type TimeCode = (date: Date) => string;

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const dayMs = 86_400_000;

const two = (value: number, pad = '0'): string => String(value).padStart(2, pad);
const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12;
const year = (value: number): string => `${value < 0 ? '-' : ''}${String(Math.abs(value)).padStart(4, '0')}`;
const dayName = (date: Date): string => days[date.getUTCDay()] ?? '';
const monthName = (date: Date): string => months[date.getUTCMonth()] ?? '';

const date2 = (date: Date): string =>
  `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${yearOf(date).slice(2)}`;
const clock = (date: Date): string => `${minuteClock(date)}:${two(date.getUTCSeconds())}`;
const minuteClock = (date: Date): string => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
const halfOfDay = (date: Date): string => (date.getUTCHours() < 12 ? 'AM' : 'PM');
const yearOf = (date: Date): string => year(date.getUTCFullYear());

/** 0 for the first of January. */
function dayOfYear(date: Date): number {
  const first = new Date(date);
  first.setUTCMonth(0, 1);
  return Math.floor((date.getTime() - first.getTime()) / dayMs);
}

/** Weeks begin on `firstDay` (0 is Sunday); days before the first such day are in week 0. */
function weekOfYear(date: Date, firstDay: 0 | 1): number {
  const sinceFirstDay = (date.getUTCDay() - firstDay + 7) % 7;
  return Math.floor((dayOfYear(date) + 7 - sinceFirstDay) / 7);
}

/** The Thursday of the week that begins on Monday: its year is the ISO year, and its week the ISO week. */
function thursday(date: Date): Date {
  return new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * dayMs);
}

const isoYear = (date: Date): string => year(thursday(date).getUTCFullYear());

/** The codes of strftime that `Now` knows, in the locale C and in UTC, and `%f`, which is milliseconds here. */
export const timeCodes: ReadonlyMap<string, TimeCode> = new Map<string, TimeCode>([
  ['A', dayName],
  ['a', (date) => dayName(date).slice(0, 3)],
  ['B', monthName],
  ['b', (date) => monthName(date).slice(0, 3)],
  ['C', (date) => yearOf(date).slice(0, 2)],
  [
    'c',
    (date) =>
      `${dayName(date).slice(0, 3)} ${monthName(date).slice(0, 3)} ${two(date.getUTCDate(), ' ')} ${clock(date)} ${yearOf(date)}`,
  ],
  ['D', date2],
  ['d', (date) => two(date.getUTCDate())],
  ['e', (date) => two(date.getUTCDate(), ' ')],
  ['F', (date) => `${yearOf(date)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`],
  ['f', (date) => String(date.getUTCMilliseconds()).padStart(3, '0')],
  ['G', isoYear],
  ['g', (date) => isoYear(date).slice(-2)],
  ['H', (date) => two(date.getUTCHours())],
  ['h', (date) => monthName(date).slice(0, 3)],
  ['I', (date) => two(hour12(date))],
  ['j', (date) => String(dayOfYear(date) + 1).padStart(3, '0')],
  ['k', (date) => two(date.getUTCHours(), ' ')],
  ['l', (date) => two(hour12(date), ' ')],
  ['M', (date) => two(date.getUTCMinutes())],
  ['m', (date) => two(date.getUTCMonth() + 1)],
  ['n', () => '\n'],
  ['p', halfOfDay],
  ['R', minuteClock],
  ['r', (date) => `${two(hour12(date))}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} ${halfOfDay(date)}`],
  ['S', (date) => two(date.getUTCSeconds())],
  ['T', clock],
  ['t', () => '\t'],
  ['U', (date) => two(weekOfYear(date, 0))],
  ['u', (date) => String(date.getUTCDay() || 7)],
  ['V', (date) => two(Math.floor(dayOfYear(thursday(date)) / 7) + 1)],
  ['v', (date) => `${two(date.getUTCDate(), ' ')}-${monthName(date).slice(0, 3)}-${yearOf(date)}`],
  ['W', (date) => two(weekOfYear(date, 1))],
  ['w', (date) => String(date.getUTCDay())],
  ['X', clock],
  ['x', date2],
  ['Y', yearOf],
  ['y', (date) => yearOf(date).slice(2)],
  ['Z', () => 'UTC'],
  ['z', () => '+0000'],
  ['%', () => '%'],
]);
