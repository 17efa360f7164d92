const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
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
] as const;

const two = (value: number): string => String(value).padStart(2, '0');
const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12;
const startOfYear = (date: Date): number => Date.UTC(date.getUTCFullYear(), 0, 1);
const dayOfYear = (date: Date): number => Math.floor((date.getTime() - startOfYear(date)) / 86_400_000);
const isoDay = (date: Date): number => date.getUTCDay() || 7;

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

function isLeap(date: Date): boolean {
  return new Date(Date.UTC(date.getUTCFullYear(), 2, 0)).getUTCDate() === 29;
}

function suffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

/** The Thursday of the week, in whose year the week is. */
function thursday(date: Date): Date {
  return new Date(date.getTime() + (4 - isoDay(date)) * 86_400_000);
}

/** What a letter of a format stands for, in UTC: https://www.php.net/manual/en/datetime.format.php. */
const letters: Readonly<Record<string, (date: Date) => string>> = {
  d: (date) => two(date.getUTCDate()),
  D: (date) => (days[date.getUTCDay()] ?? '').slice(0, 3),
  j: (date) => String(date.getUTCDate()),
  l: (date) => days[date.getUTCDay()] ?? '',
  N: (date) => String(isoDay(date)),
  S: (date) => suffix(date.getUTCDate()),
  w: (date) => String(date.getUTCDay()),
  z: (date) => String(dayOfYear(date)),
  W: (date) => two(Math.floor(dayOfYear(thursday(date)) / 7) + 1),
  F: (date) => months[date.getUTCMonth()] ?? '',
  m: (date) => two(date.getUTCMonth() + 1),
  M: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  n: (date) => String(date.getUTCMonth() + 1),
  t: (date) => String(daysOfMonth(date)),
  L: (date) => (isLeap(date) ? '1' : '0'),
  o: (date) => String(thursday(date).getUTCFullYear()),
  Y: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  y: (date) => two(date.getUTCFullYear() % 100),
  a: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  A: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  g: (date) => String(hour12(date)),
  G: (date) => String(date.getUTCHours()),
  h: (date) => two(hour12(date)),
  H: (date) => two(date.getUTCHours()),
  i: (date) => two(date.getUTCMinutes()),
  s: (date) => two(date.getUTCSeconds()),
  u: () => '000000',
  v: () => '000',
  e: () => 'UTC',
  I: () => '0',
  O: () => '+0000',
  P: () => '+00:00',
  p: () => 'Z',
  T: () => 'UTC',
  Z: () => '0',
  c: (date) => `${date.toISOString().slice(0, 19)}+00:00`,
  r: (date) => phpDate('D, d M Y H:i:s O', Math.floor(date.getTime() / 1000)),
  U: (date) => String(Math.floor(date.getTime() / 1000)),
};

/** A time in seconds since the epoch as the text of a format; a letter behind a backslash stands for itself. */
export function phpDate(format: string, seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  return format.replaceAll(/\\(.)|[A-Za-z]/gs, (letter, literal: string | undefined) => {
    if (literal !== undefined) return literal;
    return Object.hasOwn(letters, letter) ? (letters[letter]?.(date) ?? letter) : letter;
  });
}
