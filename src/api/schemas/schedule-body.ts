import { z } from 'zod';
import { boundedText, maybe } from './field.ts';
import { valuesData } from './variable-values.ts';

const id = boundedText({ min: 1, max: 255 });

export const scheduleBody = z
  .object({
    cron: boundedText({ min: 1, max: 200 }).meta({
      description: 'Minute, hour, day of the month, month, day of the week.',
      example: '0 3 * * *',
    }),
    timeZone: maybe(boundedText({ min: 1, max: 100 })).meta({
      description: 'Name of the IANA database; `UTC` when absent.',
      example: 'Europe/Prague',
    }),
    isEnabled: maybe(z.boolean()).meta({ description: 'True when absent.' }),
    variableValuesId: maybe(z.union([id, z.int().transform(String)])).meta({
      description: 'Row of the variable configuration whose values its jobs have.',
    }),
    variableValuesData: maybe(valuesData).meta({ description: 'Values that its jobs have.' }),
  })
  .meta({ id: 'ScheduleBody' });

export type ScheduleBody = z.output<typeof scheduleBody>;
