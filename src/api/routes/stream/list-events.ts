import { z } from 'zod';
import { limits } from '../../../core/limits.ts';
import { parseEventsPosition } from '../../../control/reports/events-position.ts';
import { readEvents } from '../../../control/reports/read-events.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sourcePath } from '../../schemas/path.ts';
import { eventsSchema, eventsView } from '../../views/event-view.ts';
import { defineRoute, ok } from '../../route/route.ts';
import { sourceKind } from './object-kind.ts';

const usual = 100;

const positionText = z.string().transform((text, context) => {
  const position = parseEventsPosition(text);
  if (position !== undefined) return position;
  const message = '"position" must be one that an answer of this endpoint had, such as "1:17"';
  context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message });
  return z.NEVER;
});

const query = z.object({
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.shownEvents })).meta({
    description: `1 to ${limits.shownEvents} events, ${usual} when absent; fewer when they are longer than a megabyte together.`,
  }),
  position: maybe(positionText).meta({
    type: 'string',
    description: 'Of an earlier answer: what comes behind it, the oldest first. Absent: the last events.',
  }),
});

export const listEventsRoute = defineRoute({
  method: 'GET',
  path: `${sourceKind.path}/events`,
  access: 'read',
  operationId: 'listEvents',
  summary: 'Show the last events that a source took, or those behind a position; nothing changes by that.',
  params: sourcePath,
  query,
  responses: { 200: { description: 'The events, and where they end.', schema: eventsSchema } },
  handle: async ({ params, query: { limit = usual, position } }, context, { signal }) => {
    const key = sourceKeyOf(params);
    const asked = { key, limit, ...(position === undefined ? {} : { position }) };
    return ok(eventsView(await readEvents(context, asked, { signal })));
  },
});
