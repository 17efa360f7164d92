import { printable } from '../printable.ts';
import type { Reader } from '../print.ts';
import { findingLines } from './finding-lines.ts';
import type { TraceShape } from './trace-client.ts';

type EventShape = TraceShape['events'][number];

/** The verdict, then each event with a line a sink, and below it why it is not in the table yet. */
export function traceLines(
  { sourceId, verdict, events }: TraceShape,
  reader: Pick<Reader, 'human'>,
  now: number,
): readonly string[] {
  return [`${sourceId}: ${printable(verdict)}`, ...events.flatMap((event) => eventLines(event, reader, now))];
}

function eventLines({ sinks, ...event }: EventShape, reader: Pick<Reader, 'human'>, now: number): readonly string[] {
  const lines = sinks.flatMap(({ sinkId, deleted, incarnation, state, text, why = [] }) => {
    const name = deleted === true ? `${sinkId} (deleted, incarnation ${incarnation})` : sinkId;
    return [`  ${name}: ${state}. ${printable(text)}`, ...findingLines(why, reader, now).map((line) => `  ${line}`)];
  });
  return [titleOf(event), ...(lines.length === 0 ? ['  The source has no sinks.'] : lines)];
}

function titleOf({ eventId, partition, offset, item, event }: Omit<EventShape, 'sinks'>): string {
  const id = eventId === '' ? 'no event' : eventId;
  const place = partition === undefined || offset === undefined ? '' : `  ${partition}:${offset}`;
  const part = item === undefined ? '' : `, event ${item} of its record`;
  const arrived = event === undefined ? '' : `  arrived ${event.arrivedAt}`;
  return `${id}${place}${part}${arrived}`;
}
