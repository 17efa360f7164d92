import type { By } from '../source.ts';
import { dueRun, wasMistaken, type DueRun } from './due-run.ts';
import type { MissedReason, Schedule, ScheduleDefinition } from './schedule.ts';

/** Who asks for the jobs of schedules: no token is needed for them. */
export const bySchedule: By = { type: 'system', tokenDesc: 'schedule' };

export interface Decision {
  readonly due: DueRun;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * Decides that a planned time is run, by the job of this number, which is to be made from then on. By compare-and-set on the document that
 * was read: of several that want to decide one does. Undefined when it is decided already, was planned otherwise meanwhile, or while the
 * job of the run before is still to be made.
 */
export function claimRun(
  schedule: Schedule,
  { due, now, jobId }: Decision & { readonly jobId: string },
): Schedule | undefined {
  if (!isStillDue(schedule, { due, now })) return undefined;
  const [plannedFor, at] = [isoOf(due.plannedFor), isoOf(now)];
  const decided =
    due.lastPassed === undefined
      ? schedule
      : withMissed(schedule, { count: due.passed, plannedFor: isoOf(due.lastPassed), at, reason: 'nobodyRan' });
  return {
    ...decided,
    decidedUntil: plannedFor,
    lastRun: { ...schedule.lastRun, plannedFor, at, jobId, isMade: false },
  };
}

/**
 * Decides that a planned time is not run, for this reason; without one because its configuration is not to be run, and then nothing is
 * missed. Undefined as for `claimRun`.
 */
export function passRun(
  schedule: Schedule,
  { due, now, reason }: Decision & { readonly reason: MissedReason | undefined },
): Schedule | undefined {
  if (!isStillDue(schedule, { due, now })) return undefined;
  const [plannedFor, at] = [isoOf(due.plannedFor), isoOf(now)];
  const passed = { ...schedule, decidedUntil: plannedFor };
  return reason === undefined ? passed : withMissed(passed, { count: due.passed + 1, plannedFor, at, reason });
}

/** The job of this number stands; undefined when the schedule knows, or has decided on another one. */
export function markMade(schedule: Schedule, jobId: string): Schedule | undefined {
  const { lastRun } = schedule;
  if (lastRun?.jobId !== jobId || lastRun.isMade) return undefined;
  return { ...schedule, lastRun: { ...lastRun, isMade: true } };
}

/** Begins anew from now where a clock that was far ahead has decided; undefined where none has. */
export function afterMistake(schedule: Schedule, { now }: { readonly now: number }): Schedule | undefined {
  return wasMistaken(schedule, { now }) ? { ...schedule, decidedUntil: isoOf(now) } : undefined;
}

/**
 * A schedule with another definition: what was to happen before now by another one does not, so that nothing is made up for what was
 * never planned.
 */
export function redefined(
  schedule: Schedule,
  { definition, now }: { readonly definition: ScheduleDefinition; readonly now: number },
): Schedule {
  const { variableValuesId: _, ...kept } = schedule;
  const isPlannedAlike =
    definition.cron === schedule.cron &&
    definition.timeZone === schedule.timeZone &&
    definition.isEnabled === schedule.isEnabled;
  const isBehind = Date.parse(schedule.decidedUntil) > now && !wasMistaken(schedule, { now });
  return { ...kept, ...definition, ...(isPlannedAlike || isBehind ? {} : { decidedUntil: isoOf(now) }) };
}

function isStillDue(schedule: Schedule, { due, now }: Decision): boolean {
  if (schedule.lastRun?.isMade === false) return false;
  const found = dueRun(schedule, { now });
  return found?.plannedFor === due.plannedFor && found.passed === due.passed;
}

function withMissed(
  schedule: Schedule,
  {
    count,
    plannedFor,
    at,
    reason,
  }: { readonly count: number; readonly plannedFor: string; readonly at: string; readonly reason: MissedReason },
): Schedule {
  return {
    ...schedule,
    missed: schedule.missed + count,
    lastMissed: { ...schedule.lastMissed, plannedFor, at, reason },
  };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
