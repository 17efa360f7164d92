import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { formatEventsPosition } from '../../control/reports/events-position.ts';
import type { ShownEvents } from '../../control/reports/read-events.ts';
import type { ShownEvent } from '../../control/reports/shown-event.ts';
import { isoTime } from './iso-time.ts';

const beginning = `its first ${limits.shownBodyBytes / 1024} KB when it is longer`;

export const eventSchema = z
  .object({
    eventId: z.string(),
    partition: z.int(),
    offset: z.int(),
    arrivedAt: z.iso.datetime(),
    remoteAddress: z.string().optional().meta({ description: 'Absent for the record of a Kafka producer.' }),
    headers: z.record(z.string(), z.string()).meta({
      description: 'By canonical name, repeated ones joined; `***` stands where one has a secret of the source.',
    }),
    body: z
      .string()
      .optional()
      .meta({ description: `The body as text, ${beginning}; absent when that is not UTF-8.` }),
    bodyBase64: z
      .string()
      .optional()
      .meta({ description: `Instead of \`body\`: the bytes, ${beginning}.` }),
    bodySize: z.int().meta({ description: 'Bytes of the whole body.' }),
  })
  .meta({ id: 'Event' });

export const eventsSchema = z
  .object({
    events: z.array(eventSchema).meta({ description: 'By arrival; those of one partition in their order.' }),
    position: z.string().meta({ description: 'With this as `position` the next call goes on behind these events.' }),
    skipped: z.int().min(1).optional().meta({
      description:
        'So many places in the log behind the `position` asked for were removed by retention before they were read.',
    }),
  })
  .meta({ id: 'SourceEvents' });

export type EventsView = z.input<typeof eventsSchema>;

export function eventsView({ events, next, skipped }: ShownEvents): EventsView {
  const gone = skipped === 0 ? {} : { skipped };
  return { events: events.map(eventView), position: formatEventsPosition(next), ...gone };
}

export function eventView(event: ShownEvent): EventsView['events'][number] {
  const { id, partition, offset, arrivedAt, remoteAddress, headers, body, bodySize } = event;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return {
    eventId: id,
    partition,
    offset,
    arrivedAt: isoTime(arrivedAt),
    ...(remoteAddress === '' ? {} : { remoteAddress }),
    headers: { ...headers },
    ...(isUtf8(bytes) ? { body: bytes.toString() } : { bodyBase64: bytes.toString('base64') }),
    bodySize,
  };
}
