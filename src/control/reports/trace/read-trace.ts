import type { Incarnation, SourceKey } from '../../../core/ids.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { effectiveSettings } from '../../../core/settings/effective.ts';
import type { Sink } from '../../../core/sink.ts';
import type { Source } from '../../../core/source.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import { describeKnownTopic } from '../../ends/read-ends.ts';
import { shownEvent, type ShownEvent } from '../shown-event.ts';
import type { PlacedEvent } from './asked-trace.ts';
import { msOfId, rangesOf, windowsOfId, type LogRange, type SearchPosition, type TimeWindow } from './log-ranges.ts';
import { matchCell, matchId, matchTime } from './match-events.ts';
import { idOf, recordEvents } from './record-events.ts';
import { searchLog, type FoundEvent, type Match, type Searched } from './search-log.ts';
import type { SinkTrace } from './sink-trace.ts';
import { findRow, lettersOfEvent } from './table-witness.ts';
import type { TraceAsked } from './trace-asked.ts';
import { TraceSession, type TraceParts } from './trace-session.ts';
import { traceSink } from './trace-sink.ts';

/** Where one event is. */
export interface EventTrace {
  readonly place: Pick<PlacedEvent, 'partition' | 'offset'> | undefined;
  readonly id: string;
  /** Which of several events of a record; absent: the record has one. */
  readonly item?: number;
  /** Absent: the log does not have it any more. */
  readonly shown?: ShownEvent;
  readonly missing?: PlacedEvent['missing'];
  readonly sinks: readonly SinkTrace[];
}

/** What was read to find events. */
export interface TraceSearch extends Pick<Searched, 'records' | 'bytes' | 'removed'> {
  /** Everything that was to be read was. */
  readonly isDone: boolean;
  /** Arrivals among which was searched; absent: all that the log has. */
  readonly window: TimeWindow;
  /** The log does not begin with the first event of the source: retention has taken the older ones. */
  readonly isCut: boolean;
  readonly next?: SearchPosition;
}

export interface SourceTrace {
  readonly key: SourceKey;
  readonly events: readonly EventTrace[];
  /** Absent for a place, which is not searched. */
  readonly search?: TraceSearch;
  /** Milliseconds since the epoch. */
  readonly asOf: number;
}

/**
 * Where events of a source are, for each sink. Reads of the log are outside of any group, bounded, and end with the call.
 * `source.notFound`, `sink.notFound`, `input.invalid`, `log.topicNotFound`, `progress.topicChanged`, and what the log
 * says of a partition that cannot be read.
 */
export async function readTrace(
  parts: TraceParts,
  { key, ...asked }: TraceAsked,
  options: Waiting,
): Promise<SourceTrace> {
  const { definitions, sourceLog, defaults = {}, clock } = parts;
  const source = await definitions.source(key, options);
  const { kafkaValueFormat: format } = effectiveSettings(defaults, source.settings);
  const reading: Reading = { source, format };
  const session = new TraceSession(parts, options);
  const { meant } = asked;
  const { partitions } = await describeKnownTopic(
    sourceLog,
    { name: source.topic, identity: source.topicIdentity },
    options,
  );
  const told = { key, asOf: clock.now() };
  if (meant.by === 'place') {
    const placed = await readPlace(parts, { reading, partitions, ...meant }, options);
    return { ...told, events: await traceAll(session, reading, placed) };
  }
  const { found, ...search } = await find(parts, { reading, partitions, asked }, options);
  const placed = found.map((one) => placedOf(one));
  const inLog = await traceAll(session, reading, placed);
  if (inLog.length > 0 || meant.by !== 'id') return { ...told, events: inLog, search };
  return { ...told, events: await traceByTables(session, { reading, partitions, id: meant.id }), search };
}

interface Reading {
  readonly source: Source;
  readonly format: Parameters<typeof recordEvents>[2]['format'];
}

interface Of {
  readonly reading: Reading;
  readonly partitions: number;
}

function placedOf({ of, item }: FoundEvent): PlacedEvent {
  const event = of.events[item];
  if (event === undefined) throw new MillraceError('internal.bug', 'an event that was found is not in its record');
  return { partition: of.partition, offset: of.offset, id: idOf(event), record: of, item };
}

async function find(
  parts: TraceParts,
  { reading, partitions, asked }: Of & { readonly asked: Omit<TraceAsked, 'key'> },
  options: Waiting,
): Promise<TraceSearch & Pick<Searched, 'found'>> {
  const { source } = reading;
  const { topic, topicIdentity: identity, incarnation } = source;
  const { meant, window, position, limit } = asked;
  if (position !== undefined && position.incarnation !== incarnation)
    throw new MillraceError(
      'input.invalid',
      '"position" is of an earlier existence of the source; begin anew, without it',
    );
  const at = Array.from({ length: partitions }, (_, partition) => ({ topic, identity, partition }));
  const isOpen = window.since === undefined && window.until === undefined;
  const madeAt = meant.by === 'id' && isOpen ? msOfId(meant.id) : undefined;
  const windows = madeAt === undefined ? [window] : windowsOfId(madeAt);
  const { ranges, firsts } = await rangesOf(parts.sourceLog, { at, windows }, options);
  const wanted = position === undefined ? ranges : position.ranges.filter(({ partition }) => partition < partitions);
  const match = await matchOf(parts, { reading, asked }, options);
  const { found, left, ...read } = await searchLog(parts, { ...reading, ranges: wanted, match, limit }, options);
  return {
    found,
    ...read,
    isDone: left.length === 0,
    window: spanOf(windows),
    isCut: [...firsts.values()].some((first) => first > 0),
    ...nextOf(incarnation, left),
  };
}

function nextOf(incarnation: number, left: readonly LogRange[]): Pick<TraceSearch, 'next'> {
  return left.length === 0 ? {} : { next: { incarnation, ranges: left } };
}

/** From the first to the last of windows that touch. */
function spanOf(windows: readonly TimeWindow[]): TimeWindow {
  const since = windows.map((one) => one.since);
  const until = windows.map((one) => one.until);
  return {
    ...(since.every((ms) => ms !== undefined) ? { since: Math.min(...since) } : {}),
    ...(until.every((ms) => ms !== undefined) ? { until: Math.max(...until) } : {}),
  };
}

async function matchOf(
  parts: TraceParts,
  {
    reading: { source },
    asked: { meant, window },
  }: { readonly reading: Reading; readonly asked: Omit<TraceAsked, 'key'> },
  options: Waiting,
): Promise<Match> {
  switch (meant.by) {
    case 'id':
      return matchId(meant.id);
    case 'column': {
      const { column, value, sinkId } = meant;
      const sink = await parts.definitions.sink({ ...source, sinkId }, options);
      const { tableId, columns } = sink.table;
      if (!columns.some(({ name }) => name === column))
        throw new MillraceError('input.invalid', `the sink "${sinkId}" has no column "${column}"`);
      const { incarnation, mappingVersion: version, allowedSignals } = sink;
      const inWindow = matchTime(window);
      const cell = matchCell(
        parts,
        { mapping: { incarnation, version, tableId, columns, allowedSignals }, column, value },
        options,
      );
      return async (records) => {
        const arrived = new Set((await inWindow(records)).map(({ of }) => of));
        return cell(records.filter((record) => arrived.has(record)));
      };
    }
    case 'time':
    case 'place':
      return matchTime(window);
    default:
      return meant satisfies never;
  }
}

interface PlaceAsked extends Of {
  readonly partition: number;
  readonly offset: number;
}

/** The event, or the events, at an offset; `input.invalid` where none can be yet. */
async function readPlace(
  { sourceLog }: TraceParts,
  { reading, partitions, partition, offset }: PlaceAsked,
  options: Waiting,
): Promise<readonly PlacedEvent[]> {
  const { topic, topicIdentity: identity } = reading.source;
  const fail = (why: string): never => {
    throw new MillraceError('input.invalid', `"at" names offset ${offset} of partition ${partition}: ${why}`);
  };
  if (partition >= partitions) fail(`the source has the partitions 0 to ${partitions - 1}`);
  const at = { topic, identity, partition };
  const { first, stableEnd, durableEnd } = await sourceLog.range(at, options);
  if (offset >= durableEnd) fail(`the partition ends at ${durableEnd}`);
  if (offset >= stableEnd) fail(`a transaction of a producer is open before it, so nobody can read it yet`);
  const gone = { partition, offset, id: '', item: 0 };
  if (offset < first) return [{ ...gone, missing: 'removed' }];
  const batch = await sourceLog.read(at, offset, options);
  if (batch.failure !== undefined) throw batch.failure;
  const [record] = batch.records;
  if (record?.offset !== offset) return [{ ...gone, missing: batch.first > offset ? 'removed' : batch.missing }];
  const of = recordEvents(record, partition, reading);
  return of.events.map((_, item) => placedOf({ of, item }));
}

async function traceAll(
  session: TraceSession,
  { source }: Reading,
  placed: readonly PlacedEvent[],
): Promise<readonly EventTrace[]> {
  const incarnations = placed.length === 0 ? [] : await incarnationsOf(session, source);
  const secrets = source.secrets.map(({ text }) => text);
  const traced: EventTrace[] = [];
  for (const event of placed) {
    const { record, item, missing, id, partition, offset } = event;
    const held = record?.events[item];
    const sinks: SinkTrace[] = [];
    for (const { sink, incarnation } of incarnations)
      sinks.push(await traceSink(session, { source, sink, incarnation, event }));
    const isOne = record === undefined || record.events.length === 1;
    traced.push({
      place: { partition, offset },
      id,
      ...(isOne ? {} : { item }),
      ...(held === undefined ? {} : { shown: shownEvent({ ...held.record, offset }, held.place, secrets) }),
      ...(missing === undefined ? {} : { missing }),
      sinks,
    });
  }
  return traced;
}

interface OfSink {
  readonly sink: Sink;
  readonly incarnation: Incarnation;
}

/** Every existence of every sink of the source that may still say something, deleted ones included. */
async function incarnationsOf({ parts, options }: TraceSession, source: Source): Promise<readonly OfSink[]> {
  const { definitions } = parts;
  const [sinks, deleted] = [await definitions.sinks(source, options), await definitions.deletedSinks(source, options)];
  const all: OfSink[] = [];
  for (const sink of [...sinks, ...deleted]) {
    const earlier = await definitions.earlierOf(sink, options);
    all.push(...[...earlier, sink].map(({ incarnation }) => ({ sink, incarnation })));
  }
  return all;
}

/** An event that the log does not show: the tables may have it by its id. */
async function traceByTables(
  session: TraceSession,
  { reading, partitions, id }: Of & { readonly id: string },
): Promise<readonly EventTrace[]> {
  const { parts, options } = session;
  const { source } = reading;
  const incarnations = await incarnationsOf(session, source);
  const letters = (await lettersOfEvent(parts, { sourceId: source.sourceId, eventId: id }, options)) ?? [];
  const [letter] = letters.filter(({ incarnation }) => incarnations.some((one) => one.incarnation === incarnation));
  if (letter !== undefined) {
    const { partition, offset } = letter;
    const placed = await readPlace(parts, { reading, partitions, partition, offset }, options);
    const there = placed.filter((event) => event.id === id);
    const gone: PlacedEvent = { partition, offset, id, item: 0, missing: 'removed' };
    return traceAll(session, reading, there.length > 0 ? there : [gone]);
  }
  const sinks: SinkTrace[] = [];
  for (const { sink, incarnation } of incarnations) {
    if (incarnation !== sink.incarnation) continue;
    const mapping = await session.mappingOf(incarnation, sink.mappingVersion);
    const table = mapping && (await findRow(parts, { mapping, eventId: id }, options));
    if (table?.hasRow !== true) continue;
    const isDeleted = sink.deleted !== undefined;
    const text = `It is a row of ${table.tableId}, which has its id.`;
    sinks.push({ sinkId: sink.sinkId, incarnation, isDeleted, state: 'row', text, table });
  }
  return sinks.length === 0 ? [] : [{ place: undefined, id, missing: 'removed', sinks }];
}
