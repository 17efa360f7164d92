import { CronTimes } from './cron-times.ts';
import type { Schedule } from './schedule.ts';

/** A planned time that has come, and how many before it have passed without a decision. */
export interface DueRun {
  /** Milliseconds. */
  readonly plannedFor: number;
  readonly passed: number;
  /** The last of them, milliseconds. */
  readonly lastPassed?: number;
}

/** So many are counted; more are told as so many. */
export const countedRuns = 1000;

/**
 * A clock that goes back by less than this has its planned times behind it, and runs none of them again. By more: it was wrong before, and
 * waiting for what it had said would stop the schedule.
 */
export const mistakenClockMs = 24 * 3_600_000;

/** What is due of a schedule: the last planned time that has come; undefined when none has since it was decided last. */
export function dueRun(schedule: Schedule, { now }: { readonly now: number }): DueRun | undefined {
  if (!schedule.isEnabled) return undefined;
  const times = CronTimes.of(schedule);
  const from = Date.parse(schedule.decidedUntil);
  let plannedFor = times.after(from);
  if (plannedFor === undefined || plannedFor > now) return undefined;
  let passed = 0;
  let lastPassed: number | undefined;
  for (let next = times.after(plannedFor); next !== undefined && next <= now; next = times.after(plannedFor)) {
    if (passed === countedRuns) return latest(times, { from: plannedFor, now });
    [lastPassed, plannedFor] = [plannedFor, next];
    passed += 1;
  }
  return { plannedFor, passed, ...(lastPassed === undefined ? {} : { lastPassed }) };
}

/** Without counting those in between. There is one after `from`. */
function latest(times: CronTimes, { from, now }: { readonly from: number; readonly now: number }): DueRun {
  const plannedFor = times.lastUntil(now, { from }) ?? from;
  return { plannedFor, passed: countedRuns, lastPassed: times.lastUntil(plannedFor - 1, { from }) ?? from };
}

/** When the next run is planned, milliseconds; undefined while it is not enabled, and when there is none. What is due is the next one. */
export function nextRun(schedule: Schedule): number | undefined {
  return schedule.isEnabled ? CronTimes.of(schedule).after(Date.parse(schedule.decidedUntil)) : undefined;
}

/** Whether a clock has decided on a time that is so far away that it was wrong. */
export function wasMistaken({ decidedUntil }: Schedule, { now }: { readonly now: number }): boolean {
  return Date.parse(decidedUntil) > now + mistakenClockMs;
}
