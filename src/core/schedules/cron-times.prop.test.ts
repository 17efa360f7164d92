import { deepStrictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CronTimes } from './cron-times.ts';

const minuteMs = 60_000;
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Of changes in several directions and sizes: at midnight, by half an hour. */
const zones = {
  'Europe/Prague': ['2026-03-29', '2026-10-25', '2026-06-01'],
  'America/New_York': ['2026-03-08', '2026-11-01'],
  'America/Sao_Paulo': ['2018-11-04', '2019-02-17'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'Pacific/Chatham': ['2026-04-05', '2026-09-27'],
  'Asia/Kathmandu': ['2026-01-01'],
  UTC: ['2026-03-29'],
};

interface Parsed {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly weekdays: readonly number[];
}

const numbers = (max: number) => fc.uniqueArray(fc.nat({ max }), { minLength: 1, maxLength: 4 });

/** The clock on the wall, minute by minute: what cron is written for. */
class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  }

  /** The time that it shows, as milliseconds of a clock that never changes. */
  at(ms: number): number {
    const parts = new Map(this.#format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  }
}

function fits({ minutes, hours, weekdays }: Parsed, shown: number): boolean {
  const time = new Date(shown);
  return (
    minutes.includes(time.getUTCMinutes()) && hours.includes(time.getUTCHours()) && weekdays.includes(time.getUTCDay())
  );
}

/** What is planned between two times, by the rules of the page and without the parser. */
function expected(
  parsed: Parsed,
  { timeZone, from, to }: { readonly timeZone: string; readonly from: number; readonly to: number },
): readonly number[] {
  const clock = new WallClock(timeZone);
  const [planned, seen] = [new Set<number>(), new Set<number>()];
  // The clock may have been put back a while before.
  let before = clock.at(from - 180 * minuteMs);
  seen.add(before);
  for (let ms = from - 179 * minuteMs; ms <= to; ms += minuteMs) {
    const shown = clock.at(ms);
    let isPlanned = !seen.has(shown) && fits(parsed, shown);
    for (let left = before + minuteMs; left < shown; left += minuteMs) isPlanned ||= fits(parsed, left);
    if (isPlanned && ms > from) planned.add(ms);
    seen.add(shown);
    before = shown;
  }
  return [...planned];
}

describe.each(Object.entries(zones))('in %s', (timeZone, dates) => {
  test('S1, S2: times of day are planned as the clock on the wall shows them, from whatever moment one asks', () => {
    const cases = fc.record({
      date: fc.constantFrom(...dates),
      offset: fc.integer({ min: -24 * 60, max: 24 * 60 }),
      minutes: numbers(59),
      hours: numbers(23),
      weekdays: fc.oneof(fc.constant<number[]>([0, 1, 2, 3, 4, 5, 6]), numbers(6)),
    });
    const holds = fc.property(cases, ({ date, offset, ...parsed }) => {
      const { minutes, hours, weekdays } = parsed;
      const from = Date.parse(`${date}T00:00:00Z`) + offset * minuteMs;
      const to = from + 3 * 24 * 60 * minuteMs;
      const names = weekdays.length === 7 ? '*' : weekdays.map((day) => days[day]).join(',');
      const times = CronTimes.of({ cron: `${minutes.join(',')} ${hours.join(',')} * * ${names}`, timeZone });
      const found: number[] = [];
      for (let next = times.after(from); next !== undefined && next <= to; next = times.after(next)) found.push(next);
      deepStrictEqual(found, expected(parsed, { timeZone, from, to }));
    });
    expect(() => fc.assert(holds, { numRuns: 12 })).not.toThrow();
  });
});
