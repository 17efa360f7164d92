import { z } from 'zod';
import { nextRun } from '../../core/schedules/due-run.ts';
import { missedReasons, type Schedule } from '../../core/schedules/schedule.ts';
import { createdView, offsetTime } from './configuration-view.ts';

const time = z.string().meta({ example: '2026-11-21T03:00:00+0000' });
const creatorToken = z.object({ id: z.int(), description: z.string() });

export const scheduleSchema = z
  .object({
    cron: z.string(),
    timeZone: z.string(),
    isEnabled: z.boolean(),
    variableValuesId: z.string().nullable(),
    variableValuesData: z.object({ values: z.array(z.object({ name: z.string(), value: z.string() })) }),
    created: time,
    creatorToken,
    updated: time.meta({ description: 'When its definition was set last.' }),
    nextRun: time.nullable().meta({
      description:
        'Planned time of the next run. In the past when it is due; null while it or its configuration is not enabled.',
    }),
    lastRun: z
      .object({ plannedFor: time, jobId: z.string(), at: time.meta({ description: 'When its job was asked for.' }) })
      .nullable(),
    missed: z.int().min(0).meta({ description: 'Planned times without a job, since the schedule was made.' }),
    lastMissed: z
      .object({
        plannedFor: time,
        at: time.meta({ description: 'When that was found.' }),
        reason: z.enum(missedReasons).meta({
          description:
            '`nobodyRan`: no process kept schedules then; `stillRunning`: its last job had not ended; `tooManyJobs`: as many jobs waited as may.',
        }),
      })
      .nullable(),
  })
  .meta({ id: 'Schedule' });

/** A schedule as its interface shows it. `runs`: its configuration is run. */
export function scheduleView(schedule: Schedule, { runs }: { readonly runs: boolean }): object {
  const { cron, timeZone, isEnabled, variableValuesId = null, variableValues, missed, lastRun, lastMissed } = schedule;
  const next = runs ? nextRun(schedule) : undefined;
  return {
    cron,
    timeZone,
    isEnabled,
    variableValuesId,
    variableValuesData: { values: variableValues.map(({ name, value }) => ({ name, value })) },
    ...createdView(schedule.created),
    updated: offsetTime(schedule.updated.at),
    nextRun: next === undefined ? null : offsetTime(new Date(next).toISOString()),
    lastRun:
      lastRun === undefined
        ? null
        : { plannedFor: offsetTime(lastRun.plannedFor), jobId: lastRun.jobId, at: offsetTime(lastRun.at) },
    missed,
    lastMissed:
      lastMissed === undefined
        ? null
        : {
            plannedFor: offsetTime(lastMissed.plannedFor),
            at: offsetTime(lastMissed.at),
            reason: lastMissed.reason,
          },
  };
}
