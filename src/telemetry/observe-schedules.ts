import type { ConfigurationKey } from '../core/configuration.ts';
import { configurationJobKey } from '../core/jobs/job-key.ts';
import type { MillraceError } from '../core/millrace-error.ts';
import type { MissedReason } from '../core/schedules/schedule.ts';
import type { Telemetry } from './telemetry.ts';

/** What the role that keeps schedules tells about them; every method is quick and never throws. */
export interface ScheduleObserver {
  /** A planned time has a job. */
  runDecided(
    schedule: ConfigurationKey,
    run: { readonly jobId: string; readonly plannedFor: number; readonly lateMs: number },
  ): void;
  /** Planned times have none; `plannedFor` is the last of them. */
  runsMissed(
    schedule: ConfigurationKey,
    missed: { readonly count: number; readonly plannedFor: number; readonly reason: MissedReason },
  ): void;
  /** A clock that was far ahead had decided; the schedule goes on from now. */
  clockWasWrong(schedule: ConfigurationKey): void;
  /** What it needs does not answer, or cannot be read; it is tried again. */
  heldUp(schedule: ConfigurationKey, error: MillraceError): void;
}

const outcomes = ['made', 'late', 'skipped', 'missed'] as const;

/** So late is nobody's fault: a process looks every second, and hands its work to another one within this. */
const lateFromMs = 60_000;

/** Logs and counts what becomes of planned times. */
export function observeSchedules({ log, metrics }: Telemetry): ScheduleObserver {
  const count = (outcome: (typeof outcomes)[number], by: number): void =>
    metrics.counter('millrace_scheduled_runs_total').inc({ outcome }, by);
  // A series that is there from the beginning shows its first run, too.
  for (const outcome of outcomes) count(outcome, 0);
  return {
    runDecided: (schedule, { jobId, plannedFor, lateMs }) => {
      const isLate = lateMs >= lateFromMs;
      const event = { ...named(schedule), job: jobId, plannedFor: timeOf(plannedFor), lateSeconds: lateMs / 1000 };
      count(isLate ? 'late' : 'made', 1);
      if (isLate) log.warn(event, 'scheduled run is late');
      else log.info(event, 'scheduled run');
    },
    runsMissed: (schedule, { count: runs, plannedFor, reason }) => {
      count(reason === 'stillRunning' ? 'skipped' : 'missed', runs);
      log.warn({ ...named(schedule), runs, plannedFor: timeOf(plannedFor), reason }, 'scheduled runs missed');
    },
    clockWasWrong: (schedule) => log.warn(named(schedule), 'schedule goes on after a clock that was ahead'),
    heldUp: (schedule, { code, message }) =>
      log.warn({ ...named(schedule), code, reason: message }, 'schedule held up'),
  };
}

function named(schedule: ConfigurationKey): Readonly<Record<string, unknown>> {
  return { key: configurationJobKey(schedule) };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
