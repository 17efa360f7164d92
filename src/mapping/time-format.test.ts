import { describe, expect, test } from 'vitest';
import { timeCodes } from './time-codes.ts';
import { formatTime, parseTimeFormat } from './time-format.ts';

/** The first of a year in the last week of another, the last days of a year in the first week, the day 366. */
const saturday = new Date('2005-01-01T00:05:09.007Z');
const monday = new Date('2008-12-29T13:45:00.040Z');
const sunday = new Date('2000-12-31T12:00:59.999Z');

function format(text: string, date: Date): string {
  const parsed = parseTimeFormat(text);
  return parsed.kind === 'format' ? formatTime(parsed, date) : `refused: ${parsed.rule}`;
}

const expected: readonly (readonly [code: string, saturday: string, monday: string, sunday: string])[] = [
  ['f', '007', '040', '999'],
  ['A', 'Saturday', 'Monday', 'Sunday'],
  ['a', 'Sat', 'Mon', 'Sun'],
  ['B', 'January', 'December', 'December'],
  ['b', 'Jan', 'Dec', 'Dec'],
  ['C', '20', '20', '20'],
  ['c', 'Sat Jan  1 00:05:09 2005', 'Mon Dec 29 13:45:00 2008', 'Sun Dec 31 12:00:59 2000'],
  ['D', '01/01/05', '12/29/08', '12/31/00'],
  ['d', '01', '29', '31'],
  ['e', ' 1', '29', '31'],
  ['F', '2005-01-01', '2008-12-29', '2000-12-31'],
  ['G', '2004', '2009', '2000'],
  ['g', '04', '09', '00'],
  ['H', '00', '13', '12'],
  ['h', 'Jan', 'Dec', 'Dec'],
  ['I', '12', '01', '12'],
  ['j', '001', '364', '366'],
  ['k', ' 0', '13', '12'],
  ['l', '12', ' 1', '12'],
  ['M', '05', '45', '00'],
  ['m', '01', '12', '12'],
  ['n', '\n', '\n', '\n'],
  ['p', 'AM', 'PM', 'PM'],
  ['R', '00:05', '13:45', '12:00'],
  ['r', '12:05:09 AM', '01:45:00 PM', '12:00:59 PM'],
  ['S', '09', '00', '59'],
  ['T', '00:05:09', '13:45:00', '12:00:59'],
  ['t', '\t', '\t', '\t'],
  ['U', '00', '52', '53'],
  ['u', '6', '1', '7'],
  ['V', '53', '01', '52'],
  ['v', ' 1-Jan-2005', '29-Dec-2008', '31-Dec-2000'],
  ['W', '00', '52', '52'],
  ['w', '6', '1', '0'],
  ['X', '00:05:09', '13:45:00', '12:00:59'],
  ['x', '01/01/05', '12/29/08', '12/31/00'],
  ['Y', '2005', '2008', '2000'],
  ['y', '05', '08', '00'],
  ['Z', 'UTC', 'UTC', 'UTC'],
  ['z', '+0000', '+0000', '+0000'],
  ['%', '%', '%', '%'],
];

describe('a code of a time format', () => {
  test.each(expected)('%%%s writes %j, %j and %j', (code, ...texts) => {
    expect([saturday, monday, sunday].map((date) => format(`%${code}`, date))).toEqual(texts);
  });

  test('is in this table, each one', () => {
    expect(expected.map(([code]) => code).sort()).toEqual([...timeCodes.keys()].sort());
  });
});

describe('weeks', () => {
  const week = '%U %W %V %G %g %u %w %j';
  test.each([
    ['2006-01-01', '01 00 52 2005 05 7 0 001'],
    ['2006-01-02', '01 01 01 2006 06 1 1 002'],
    ['2007-01-01', '00 01 01 2007 07 1 1 001'],
    ['2009-12-31', '52 52 53 2009 09 4 4 365'],
    ['2010-01-03', '01 00 53 2009 09 7 0 003'],
    ['2010-01-04', '01 01 01 2010 10 1 1 004'],
    ['2012-02-29', '09 09 09 2012 12 3 3 060'],
    ['2024-12-30', '52 53 01 2025 25 1 1 365'],
  ])('of %s are %s', (day, text) => {
    expect(format(week, new Date(`${day}T23:59:59.999Z`))).toBe(text);
  });
});

describe('hours of half a day', () => {
  test.each([
    [0, '12 AM|12'],
    [1, '01 AM| 1'],
    [11, '11 AM|11'],
    [12, '12 PM|12'],
    [13, '01 PM| 1'],
    [23, '11 PM|11'],
  ])('%i is %s', (hour, text) => {
    expect(format('%I %p|%l', new Date(Date.UTC(2020, 0, 1, hour)))).toBe(text);
  });
});

test('years have four digits, from 0000 to 9999', () => {
  const [first, last] = [new Date('0000-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59Z')];
  expect([first, last].map((date) => format('%Y %C %y %j', date))).toEqual(['0000 00 00 001', '9999 99 99 365']);
});

test('text around the codes stays as it is', () => {
  expect(format('a%Yb%%Y ü😀\n%d', monday)).toBe('a2008b%Y ü😀\n29');
  expect(format('', monday)).toBe('');
});

describe('D9: a format is refused with the code and its position', () => {
  test.each([
    ['%Q', 'unknown code "%Q" at position 1'],
    ['%Y-%-d', 'unknown code "%-" at position 4'],
    ['%s', 'unknown code "%s" at position 1'],
    ['%E', 'unknown code "%E" at position 1'],
    ['%i', 'unknown code "%i" at position 1'],
    ['%😀', 'unknown code "%😀" at position 1'],
    ['at %', '"%" at position 4 is without a code (write "%%" for a percent sign)'],
  ])('%j', (text, rule) => {
    expect(format(text, monday)).toContain(`refused: ${rule}`);
  });
});
