import { z } from 'zod';
import type { FoundEvent } from '../../control/reports/job-events.ts';
import { jobEventTypes } from '../../core/jobs/job-event.ts';
import { offsetTime } from './offset-time.ts';

export const jobEventSchema = z
  .object({
    id: z.string().meta({ description: 'A later event of a log has a greater one.' }),
    uuid: z.string(),
    event: z.string().meta({ example: 'ext.generic-extractor' }),
    component: z.string(),
    configurationId: z.string().nullable(),
    message: z.string(),
    description: z.string(),
    type: z.enum(jobEventTypes),
    runId: z.string(),
    created: z.string(),
    objectId: z.string(),
    params: z.object({ jobId: z.string() }),
    results: z.object({}),
    performance: z.object({}),
    token: z.object({ id: z.string(), name: z.string() }),
  })
  .meta({ id: 'JobEvent' });

/** A line of the log of a job as an event of the storage interface. */
export function jobEventView({ event, by }: FoundEvent): z.input<typeof jobEventSchema> {
  const { eventId, componentId, configurationId = null, message, type, runId, created, jobId } = event;
  return {
    id: eventId,
    uuid: eventId,
    event: `ext.${componentId}`,
    component: componentId,
    configurationId,
    message,
    description: '',
    type,
    runId,
    created: offsetTime(Date.parse(created)),
    objectId: '',
    params: { jobId },
    results: {},
    performance: {},
    token: { id: by.tokenId ?? '', name: by.tokenDesc ?? '' },
  };
}
