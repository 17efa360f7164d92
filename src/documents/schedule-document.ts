import { z } from 'zod';
import { missedReasons, type MissedRun, type Schedule, type ScheduledRun } from '../core/schedules/schedule.ts';
import { componentId } from './configuration-document.ts';
import { branchId, count, name, stamp, text, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const run: z.ZodType<ScheduledRun> = z.looseObject({
  plannedFor: name,
  at: name,
  jobId: name,
  isMade: z.boolean(),
} satisfies FieldsOf<ScheduledRun>);

const missedRun: z.ZodType<MissedRun> = z.looseObject({
  plannedFor: name,
  at: name,
  reason: z.enum(missedReasons),
} satisfies FieldsOf<MissedRun>);

const schema: z.ZodType<Schedule> = z.looseObject({
  branchId,
  componentId,
  configurationId: name,
  cron: name,
  timeZone: name,
  isEnabled: z.boolean(),
  variableValuesId: text.exactOptional(),
  variableValues: z.array(z.looseObject({ name: text, value: text })),
  created: stamp,
  updated: stamp,
  decidedUntil: name,
  lastRun: run.exactOptional(),
  missed: count,
  lastMissed: missedRun.exactOptional(),
} satisfies FieldsOf<Schedule>);

/** Documents of collection `schedule`, under the ids of their configurations. */
export const scheduleDocuments = new DocumentKind<Schedule>({ collection: 'schedule', schema });
