import { z } from 'zod';
import { readJobEvents } from '../../../control/reports/job-events.ts';
import { componentOf } from '../../../core/component.ts';
import { limits } from '../../../core/limits.ts';
import { shown } from '../../errors/validation-error.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import { jobEventSchema, jobEventView } from '../../views/job-event-view.ts';
import { defineRoute, ok } from '../../route/route.ts';
import { seenComponents } from './own-jobs.ts';

function eventId(name: string) {
  return maybe(
    z.string().refine((text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text), {
      params: { name: 'invalidFormat' },
      error: ({ input }) => `"${name}" must be the id of an event but got value ${shown(input)}`,
    }),
  );
}

const query = z.object({
  runId: maybe(z.string()).meta({ description: 'Of this run, and of those that it has started.' }),
  component: maybe(z.string()).meta({ description: 'Of jobs of this component.' }),
  configurationId: maybe(z.string()).meta({ description: 'Of jobs of this configuration.' }),
  sinceId: eventId('sinceId').meta({ description: 'Only later events than this one.' }),
  maxId: eventId('maxId').meta({ description: 'Only earlier events than this one.' }),
  q: maybe(z.string()).meta({ description: 'Only with this text in the message, in letters of either case.' }),
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.shownJobEvents })).meta({
    description: '100 when absent. Fewer are shown where they are more than 16 MiB: go on with `maxId`.',
  }),
  offset: maybe(integerText({ name: 'offset', min: 0, max: limits.shownJobEvents })).meta({
    description: '0 when absent.',
  }),
});

export const listEventsOfJobsRoute = defineRoute({
  method: 'GET',
  path: '/v2/storage/events',
  access: 'readComponent',
  operationId: 'listJobEvents',
  summary: 'List the lines of the logs of jobs, the newest first.',
  query,
  responses: { 200: { description: 'Events.', schema: z.array(jobEventSchema) } },
  handle: async ({ query: asked }, context, { token, signal }) => {
    const { runId, component, configurationId, sinceId, maxId, q, limit = 100, offset = 0 } = asked;
    const seen = seenComponents(token);
    const componentIds = component === undefined ? seen : seen.filter((id) => id === componentOf(component)?.id);
    const request = { runId, componentIds, configurationId, sinceId, maxId, text: q, offset, limit };
    return ok((await readJobEvents(context, request, { signal })).map(jobEventView));
  },
});
