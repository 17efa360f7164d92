import { z } from 'zod';
import { limits } from '../../../core/limits.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { parseSearchPosition } from '../../../control/reports/trace/log-ranges.ts';
import { readTrace } from '../../../control/reports/trace/read-trace.ts';
import type { EventsMeant } from '../../../control/reports/trace/trace-asked.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import { sinkKeyOf, sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sourcePath } from '../../schemas/path.ts';
import { traceSchema, traceView } from '../../views/trace-view.ts';
import { defineRoute, ok } from '../../route/route.ts';
import { sourceKind } from './object-kind.ts';

/** Where events are found by what they hold, some are enough; an id is that of one. */
const usual = { id: 1, place: 1, time: 10, column: 10 } as const satisfies Readonly<Record<EventsMeant['by'], number>>;

const position = z.string().transform((text, context) => {
  const parsed = parseSearchPosition(text);
  if (parsed !== undefined) return parsed;
  const message = '"position" must be one that an answer of this endpoint had, such as "1:0.17-900"';
  context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message });
  return z.NEVER;
});

const time = (name: string) =>
  z.string().transform((text, context) => {
    const ms = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text)
      ? Date.parse(text)
      : Number.NaN;
    if (!Number.isNaN(ms)) return ms;
    const message = `"${name}" must be a time with its zone, such as "2026-11-01T00:00:00Z"`;
    context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message });
    return z.NEVER;
  });

const eventId = z.string().transform((text, context) => {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  const message = '"eventId" must be a UUID, as all ids of events are';
  context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message });
  return z.NEVER;
});

const place = z.string().transform((text, context) => {
  const [, partition, offset] = /^(\d{1,6}):(\d{1,15})$/.exec(text) ?? [];
  if (partition !== undefined && offset !== undefined) return { partition: Number(partition), offset: Number(offset) };
  const message = '"at" must be a partition and an offset, such as "0:17"';
  context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message });
  return z.NEVER;
});

const query = z.object({
  eventId: maybe(eventId).meta({ type: 'string', format: 'uuid', description: 'Of the event that is meant.' }),
  at: maybe(place).meta({ type: 'string', description: 'Its place: partition and offset, such as `0:17`.' }),
  sinkId: maybe(z.string().max(limits.idLength)).meta({ description: 'Whose mapping makes the `column`.' }),
  column: maybe(z.string().max(limits.columnNameLength)).meta({
    description: 'A column of the sink: events of which its mapping of now makes `value` are meant.',
  }),
  value: maybe(z.string().max(limits.defaultValueLength)).meta({ description: 'The text of the cell, as a whole.' }),
  since: maybe(time('since')).meta({ type: 'string', description: 'Events that arrived then or later.' }),
  until: maybe(time('until')).meta({ type: 'string', description: 'Events that arrived before.' }),
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.tracedEvents })).meta({
    description: `How many events are enough: one when an \`eventId\` is given, else ${usual.time}.`,
  }),
  position: maybe(position).meta({
    type: 'string',
    description: 'Of an earlier answer to the same question: the search goes on there.',
  }),
});

type Query = z.output<typeof query>;

export const traceEventsRoute = defineRoute({
  method: 'GET',
  path: `${sourceKind.path}/trace`,
  access: 'read',
  operationId: 'traceEvents',
  summary:
    'Say where events of a source are now, for each sink, and why they are not in its table yet: by id, by place, by arrival, or by the value of a mapped column; nothing changes by that.',
  params: sourcePath,
  query,
  responses: { 200: { description: 'The events, and how far was looked.', schema: traceSchema } },
  refuses: ['sinkNotFound', 'unprocessableContent', 'unsupportedMediaType'],
  handle: async ({ params, query: asked }, context, { signal }) => {
    const meant = meantBy(params, asked);
    const { since, until, limit = usual[meant.by], position: from } = asked;
    const window = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
    const trace = { key: sourceKeyOf(params), meant, window, limit, ...(from === undefined ? {} : { position: from }) };
    return ok(traceView(await readTrace(context, trace, { signal })));
  },
});

/** One way to name events. */
function meantBy(
  path: z.output<typeof sourcePath>,
  { eventId: id, at, sinkId, column, value, since, until }: Query,
): EventsMeant {
  const ways: EventsMeant[] = [];
  if (id !== undefined) ways.push({ by: 'id', id });
  if (at !== undefined) ways.push({ by: 'place', ...at });
  if (column !== undefined || value !== undefined || sinkId !== undefined) {
    if (column === undefined || value === undefined || sinkId === undefined)
      throw new MillraceError('input.invalid', '"sinkId", "column" and "value" belong together');
    ways.push({ by: 'column', sinkId: sinkKeyOf({ ...path, sinkId }).sinkId, column, value });
  }
  const [way, ...others] = ways;
  if (others.length > 0)
    throw new MillraceError(
      'input.invalid',
      'one of "eventId", "at" and "column" says which events are meant, not several',
    );
  if (way !== undefined) return way;
  if (since === undefined && until === undefined)
    throw new MillraceError('input.invalid', '"eventId", "at", "column" or "since" must say which events are meant');
  return { by: 'time' };
}
