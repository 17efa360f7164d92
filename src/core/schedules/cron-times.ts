import { Cron } from 'croner';
import { MillraceError } from '../millrace-error.ts';
import { shortened } from '../shortened.ts';

/** In the order of their fields, with what each may hold. */
const fields = ['minute', 'hour', 'day of the month', 'month', 'day of the week'] as const;
/** Numbers, names of months and days, ranges, steps and lists; what else some readers of cron know has no one meaning. */
const simple = /^(?:\*|[0-9]{1,2}|[A-Za-z]{3})(?:-(?:[0-9]{1,2}|[A-Za-z]{3}))?(?:\/[0-9]{1,2})?$/;
const minuteMs = 60_000;

/**
 * The planned times of a cron expression by the clock of a time zone. Where that clock is put forward, a time of day that is left out is
 * planned for the moment after; where it is put back, a time of day that comes twice is planned once. An expression whose minute or hour
 * is `*` or a step means every so often, and is planned by the time that passes: none is left out, and none is doubled.
 */
export class CronTimes {
  readonly #cron: Cron;

  private constructor(cron: Cron) {
    this.#cron = cron;
  }

  /** `input.invalid`, which names the value and the rule, for what is no expression or no time zone, and for what is never planned. */
  static of({ cron: text, timeZone }: { readonly cron: string; readonly timeZone: string }): CronTimes {
    requireFields(text);
    requireTimeZone(timeZone);
    const times = new CronTimes(read(text, timeZone));
    // Leap days are up to eight years apart.
    if (times.after(Date.UTC(2000, 0)) === undefined)
      throw invalid(`"${shown(text)}" is never: no month has such a day`);
    return times;
  }

  /** The first planned time that is later than this one, milliseconds; undefined when there is none. */
  after(ms: number): number | undefined {
    return this.#cron.nextRun(new Date(ms))?.getTime();
  }

  /** The last planned time that is not later than this one, and later than `from`; undefined when there is none. */
  lastUntil(ms: number, { from }: { readonly from: number }): number | undefined {
    for (let span = 60 * minuteMs; ; span *= 24) {
      const start = Math.max(from, ms - span);
      let last: number | undefined;
      for (let next = this.after(start); next !== undefined && next <= ms; next = this.after(next)) last = next;
      if (last !== undefined || start === from) return last;
    }
  }
}

function read(text: string, timezone: string): Cron {
  try {
    return new Cron(text, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
  } catch (thrown) {
    const { message } = MillraceError.fromUnknown(thrown);
    throw invalid(`"${shown(text)}" is no cron expression: ${message.replace(/^CronPattern: /, '')}`, thrown);
  }
}

function requireFields(text: string): void {
  const given = text.trim() === '' ? [] : text.trim().split(/\s+/);
  if (given.length !== fields.length)
    throw invalid(
      `"${shown(text)}" has ${given.length} fields, a cron expression has five: ${fields.join(', ')}; as "0 3 * * *", every day at 3:00`,
    );
  for (const [index, field] of given.entries())
    if (!field.split(',').every((part) => simple.test(part)))
      throw invalid(
        `"${shown(field)}" is no ${fields[index] ?? ''}: a field has numbers, names such as MON or JAN, ranges (1-5), steps (*/15), and lists of them with commas`,
      );
}

function requireTimeZone(name: string): void {
  // An offset alone knows nothing of summer and winter.
  if (/^[A-Za-z]/.test(name) && isKnown(name)) return;
  throw invalid(`"${shown(name)}" is no time zone: give a name of the IANA database, such as UTC or Europe/Prague`);
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}

function shown(text: string): string {
  return shortened(text, 100);
}

function invalid(message: string, cause?: unknown): MillraceError {
  return new MillraceError('schedule.invalid', message, { cause });
}
