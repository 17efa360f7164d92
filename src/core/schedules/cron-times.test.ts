import { expect, test } from 'vitest';
import { CronTimes } from './cron-times.ts';

function planned(
  cron: string,
  timeZone: string,
  { from, count = 3 }: { readonly from: string; readonly count?: number },
) {
  const times = CronTimes.of({ cron, timeZone });
  const all: string[] = [];
  for (let next = times.after(Date.parse(from)); next !== undefined && all.length < count; next = times.after(next))
    all.push(new Date(next).toISOString().replace(':00.000Z', 'Z'));
  return all;
}

test.each([
  ['0 3 * * *', ['2026-01-01T03:00Z', '2026-01-02T03:00Z', '2026-01-03T03:00Z']],
  ['*/20 * * * *', ['2026-01-01T00:20Z', '2026-01-01T00:40Z', '2026-01-01T01:00Z']],
  ['5-15/5,40 0 * * *', ['2026-01-01T00:05Z', '2026-01-01T00:10Z', '2026-01-01T00:15Z']],
  ['0 0 * * MON-fri', ['2026-01-02T00:00Z', '2026-01-05T00:00Z', '2026-01-06T00:00Z']],
  ['0 0 1 feb,NOV *', ['2026-02-01T00:00Z', '2026-11-01T00:00Z', '2027-02-01T00:00Z']],
  ['0 0 * * 7', ['2026-01-04T00:00Z', '2026-01-11T00:00Z', '2026-01-18T00:00Z']],
  ['0 0 29 2 *', ['2028-02-29T00:00Z', '2032-02-29T00:00Z', '2036-02-29T00:00Z']],
  // Both days are given: one of them is enough.
  ['0 0 13 * FRI', ['2026-01-02T00:00Z', '2026-01-09T00:00Z', '2026-01-13T00:00Z']],
])('S1: %j is planned when cron says', (cron, expected) => {
  expect(planned(cron, 'UTC', { from: '2026-01-01T00:00:00Z' })).toEqual(expected);
});

test.each([
  ['', 'UTC', /"" has 0 fields, a cron expression has five/],
  ['* * * *', 'UTC', /has 4 fields/],
  ['0 * * * * *', 'UTC', /has 6 fields/],
  ['@daily', 'UTC', /has 1 fields/],
  ['60 * * * *', 'UTC', /"60 \* \* \* \*" is no cron expression: Invalid value for minute: 60/],
  ['0 0 * * 8', 'UTC', /Invalid value for dayOfWeek: 8/],
  ['0 0 * * 5-1', 'UTC', /larger/],
  ['*/0 * * * *', 'UTC', /stepping/],
  ['5/5 * * * *', 'UTC', /stepping/],
  ['0 0 L * *', 'UTC', /"L" is no day of the month: a field has/],
  ['0 0 * * MON#1', 'UTC', /"MON#1" is no day of the week/],
  ['? * * * *', 'UTC', /is no minute/],
  ['0 0 * xyz *', 'UTC', /is no cron expression/],
  ['0 0 * * *', 'Mars/Base', /"Mars\/Base" is no time zone: give a name of the IANA database/],
  ['0 0 * * *', '+02:00', /is no time zone/],
  ['0 0 * * *', '', /is no time zone/],
])('S1: %j in %j is refused with the rule', (cron, timeZone, message) => {
  expect(() => CronTimes.of({ cron, timeZone })).toThrow(
    expect.objectContaining({ code: 'schedule.invalid', message: expect.stringMatching(message) as string }),
  );
});

test('S1: what never comes is refused', () => {
  expect(() => CronTimes.of({ cron: '0 0 31 2 *', timeZone: 'UTC' })).toThrow(
    '"0 0 31 2 *" is never: no month has such a day',
  );
});

test('S2: a time of day that the clock leaves out is the moment after', () => {
  expect(planned('30 2 * * *', 'Europe/Prague', { from: '2026-03-28T00:00:00Z' })).toEqual([
    '2026-03-28T01:30Z',
    '2026-03-29T01:00Z',
    '2026-03-30T00:30Z',
  ]);
  expect(planned('0,30 2,14 * * *', 'Europe/Prague', { from: '2026-03-29T00:00:00Z', count: 2 })).toEqual([
    '2026-03-29T01:00Z',
    '2026-03-29T12:00Z',
  ]);
});

test('S2: a time of day that comes twice is planned once', () => {
  expect(planned('30 2 * * *', 'Europe/Prague', { from: '2026-10-24T12:00:00Z' })).toEqual([
    '2026-10-25T00:30Z',
    '2026-10-26T01:30Z',
    '2026-10-27T01:30Z',
  ]);
});

test('S2: every so often is planned by the time that passes', () => {
  expect(planned('*/30 * * * *', 'Europe/Prague', { from: '2026-10-25T00:15:00Z', count: 4 })).toEqual([
    '2026-10-25T00:30Z',
    '2026-10-25T01:00Z',
    '2026-10-25T01:30Z',
    '2026-10-25T02:00Z',
  ]);
  expect(planned('0 * * * *', 'Europe/Prague', { from: '2026-03-29T00:30:00Z', count: 2 })).toEqual([
    '2026-03-29T01:00Z',
    '2026-03-29T02:00Z',
  ]);
});

test('S5: the last planned time until now is found without a look at all before', () => {
  const times = CronTimes.of({ cron: '0 0 1 1 *', timeZone: 'UTC' });
  const [now, long] = [Date.parse('2026-06-01T00:00:00Z'), Date.parse('1990-01-01T00:00:00Z')];
  expect(times.lastUntil(now, { from: long })).toBe(Date.parse('2026-01-01T00:00:00Z'));
  expect(times.lastUntil(now, { from: Date.parse('2026-01-01T00:00:00Z') })).toBeUndefined();
  expect(times.lastUntil(Date.parse('2026-01-01T00:00:00Z'), { from: long })).toBe(Date.parse('2026-01-01T00:00:00Z'));
});
