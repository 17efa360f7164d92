import { z } from 'zod';
import { formatSearchPosition } from '../../control/reports/trace/log-ranges.ts';
import type { EventTrace, SourceTrace, TraceSearch } from '../../control/reports/trace/read-trace.ts';
import { traceStates, type SinkTrace } from '../../control/reports/trace/sink-trace.ts';
import { traceVerdict } from '../../control/reports/trace/trace-verdict.ts';
import { eventSchema, eventView } from './event-view.ts';
import { isoTime } from './iso-time.ts';
import { findingSchema, findingView } from './why-view.ts';

const time = z.iso.datetime();
const offset = z.int();

const sinkTraceSchema = z
  .object({
    sinkId: z.string(),
    incarnation: z.int(),
    deleted: z.literal(true).optional(),
    state: z.enum(traceStates).meta({
      description:
        '`unmapped` and `mapped` before staging; `staged`, `importing` and `parked` in it; `row`, `dead` and `filtered` where it is counted; `replayed` a dead letter that is a row by now; `unwanted` that the sink is not to take it; `none` that there is no event; `lost`; `unknown` when nothing that is left says it.',
    }),
    text: z.string().meta({ description: 'Sentences for people.' }),
    outcome: z.enum(['row', 'dead', 'filtered']).optional().meta({
      description: 'What its mapping makes of it, while that is on its way.',
    }),
    mappingVersion: z.int().optional(),
    slice: z
      .object({
        id: z.string(),
        partition: z.int(),
        from: offset,
        to: offset,
        rows: z.int(),
        dead: z.int(),
        stagedAt: time,
      })
      .optional()
      .meta({ description: 'It covers the offsets behind `from` up to `to`.' }),
    import: z.object({ number: z.int(), at: time }).optional().meta({
      description: 'The import that loaded it, with the time when it had; or the one that runs, and since when.',
    }),
    deadLetter: z
      .object({
        reason: z.string(),
        column: z.string(),
        message: z.string(),
        place: z.string(),
        inTable: z.boolean().nullable().meta({ description: 'Null: the table store does not answer.' }),
      })
      .optional(),
    table: z
      .object({ tableId: z.string(), column: z.string(), hasRow: z.boolean().nullable() })
      .optional()
      .meta({ description: 'Whether the table has a row with the id of the event, where a column has ids.' }),
    replay: z
      .object({ id: z.string(), import: z.object({ number: z.int(), at: time }).optional() })
      .optional()
      .meta({
        description:
          'The replay of dead letters that took it, with its import; without one it left the letter as it is.',
      }),
    why: z.array(findingSchema).optional().meta({ description: 'Why it is not in the table yet.' }),
  })
  .meta({ id: 'SinkTrace' });

const eventTraceSchema = z
  .object({
    eventId: z.string().meta({ description: 'Empty for an offset at which the log has no event.' }),
    partition: z.int().optional().meta({ description: 'Absent: only a table has it.' }),
    offset: offset.optional(),
    item: z.int().optional().meta({ description: 'Which of several events of a record, from 0.' }),
    missing: z.enum(['removed', 'none', 'lost']).optional().meta({
      description: 'Why the log does not show it: retention removed it, there never was one, or the log lost it.',
    }),
    event: eventSchema.optional(),
    sinks: z.array(sinkTraceSchema).meta({ description: 'Of every existence of every sink, deleted ones included.' }),
  })
  .meta({ id: 'EventTrace' });

const searchSchema = z.object({
  records: z.int().meta({ description: 'Read to find the events.' }),
  bytes: z.int(),
  removed: z.int().meta({ description: 'Places that retention took before they were read.' }),
  done: z.boolean().meta({ description: 'Everything that was to be read was read.' }),
  since: time.optional().meta({ description: 'Arrivals that were searched; absent: from the first that the log has.' }),
  until: time.optional(),
  logIsCut: z.boolean().meta({ description: 'Retention has removed older events.' }),
});

export const traceSchema = z
  .object({
    branchId: z.int(),
    sourceId: z.string(),
    verdict: z.string().meta({ description: 'What was found, and how far was looked.' }),
    asOf: time,
    events: z.array(eventTraceSchema),
    search: searchSchema.optional().meta({ description: 'Absent for a place, which is not searched.' }),
    position: z.string().optional().meta({ description: 'With this the next call goes on; absent: nothing is left.' }),
  })
  .meta({ id: 'SourceTrace' });

export type TraceView = z.input<typeof traceSchema>;

export function traceView(trace: SourceTrace): TraceView {
  const { key, events, search, asOf } = trace;
  return {
    branchId: key.branchId,
    sourceId: key.sourceId,
    verdict: traceVerdict(trace),
    asOf: isoTime(asOf),
    events: events.map(eventTraceView),
    ...(search === undefined ? {} : { search: searchView(search) }),
    ...(search?.next === undefined ? {} : { position: formatSearchPosition(search.next) }),
  };
}

function searchView({ records, bytes, removed, isDone, window, isCut }: TraceSearch): TraceView['search'] {
  const { since, until } = window;
  return {
    records,
    bytes,
    removed,
    done: isDone,
    ...(since === undefined ? {} : { since: isoTime(since) }),
    ...(until === undefined ? {} : { until: isoTime(until) }),
    logIsCut: isCut,
  };
}

function eventTraceView({ place, id, item, missing, shown, sinks }: EventTrace): TraceView['events'][number] {
  return {
    eventId: id,
    ...place,
    ...(item === undefined ? {} : { item }),
    ...(missing === undefined ? {} : { missing }),
    ...(shown === undefined ? {} : { event: eventView(shown) }),
    sinks: sinks.map(sinkTraceView),
  };
}

function sinkTraceView(trace: SinkTrace): TraceView['events'][number]['sinks'][number] {
  const { isDeleted, slice, import: by, deadLetter, table, replay, why, ...rest } = trace;
  return {
    ...rest,
    ...(isDeleted ? { deleted: true } : {}),
    ...(slice === undefined ? {} : { slice: { ...slice, stagedAt: isoTime(slice.stagedAt) } }),
    ...(by === undefined ? {} : { import: { number: by.number, at: isoTime(by.at) } }),
    ...(deadLetter === undefined ? {} : { deadLetter: letterView(deadLetter) }),
    ...(table === undefined ? {} : { table: { ...table, hasRow: table.hasRow ?? null } }),
    ...(replay === undefined ? {} : { replay: replayView(replay) }),
    ...(why === undefined ? {} : { why: why.map(findingView) }),
  };
}

function letterView({ isInTable, reason, column, message, place }: NonNullable<SinkTrace['deadLetter']>) {
  return { reason, column, message, place, inTable: isInTable ?? null };
}

function replayView({ id, import: by }: NonNullable<SinkTrace['replay']>) {
  return { id, ...(by === undefined ? {} : { import: { number: by.number, at: isoTime(by.at) } }) };
}
