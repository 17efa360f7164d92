import { isWanted, knownIntervals } from '../../../core/progress/passed-intervals.ts';
import type { Interval } from '../../../core/progress/intervals.ts';
import { entryOf, type SinkProgress, type StagedSlice } from '../../../core/progress/sink-progress.ts';
import type { TriedOutcome } from '../../trials/trials.ts';
import type { Finding } from '../why/finding.ts';
import { at } from '../why/words.ts';
import { filtered, outcomeOf, type Asked, type Decided, type PlacedEvent, type Told } from './asked-trace.ts';
import type { SinkTrace, TraceState, TracedImport, TracedSlice } from './sink-trace.ts';
import { counted, ofGone } from './trace-counted.ts';
import type { TraceSession } from './trace-session.ts';
import { findOutcome } from './traced-outcome.ts';

/** Where an event is for one incarnation of a sink: first by its document, then by what the tables have. */
export async function traceSink(session: TraceSession, asked: Asked): Promise<SinkTrace> {
  const { sink, incarnation } = asked;
  const isDeleted = sink.deleted !== undefined || incarnation !== sink.incarnation;
  return { sinkId: sink.sinkId, incarnation, isDeleted, ...(await tell(session, asked)) };
}

async function tell(session: TraceSession, asked: Asked): Promise<Told> {
  const { source, incarnation, event } = asked;
  const facts = await session.factsOf(incarnation);
  if (facts === undefined) return ofGone(session, asked);
  const { progress } = facts;
  const { topics } = progress;
  if (topics.source !== source.topic || topics.sourceIdentity !== source.topicIdentity)
    return {
      state: 'unwanted',
      text: 'It reads another existence of the source, so it was never to take this event.',
    };
  const { partition, offset } = event;
  const known = knownIntervals(progress, partition);
  const wanted = isWanted(known, offset);
  if (wanted === false) return { state: 'unwanted', text: unwantedText(asked, known.intervals) };
  if (event.missing === 'none')
    return {
      state: 'none',
      text: 'The log has no event at this offset, and never had: a marker, or one that was compacted.',
    };
  if (offset > entryOf(progress, partition).source) return onItsWay(session, asked, progress);
  return decided(session, asked, { ...facts, isCertain: wanted === true });
}

function unwantedText({ sink, incarnation, event }: Asked, intervals: readonly Interval[]): string {
  const [first] = intervals;
  const last = intervals.at(-1);
  if (first === undefined || event.offset < first.start)
    return `The sink begins behind it, at offset ${first?.start ?? 0} of the partition: it is not to take this event.`;
  if (last !== undefined && last.end !== null && event.offset >= last.end) {
    const isOwn = incarnation === sink.incarnation;
    const since = isOwn ? (sink.deleted?.at ?? sink.disabled?.at) : undefined;
    const what = isOwn && sink.deleted === undefined ? 'disabled' : 'deleted';
    return `It was accepted after the sink was ${what}${since === undefined ? '' : ` at ${since}`}: it is not to take this event.`;
  }
  return 'It was accepted while the sink was disabled: it is not to take this event.';
}

const kindText = { row: 'a row', dead: 'a dead letter', filtered: 'nothing, because the sink is not for it' } as const;

/** Accepted, and not in staging yet. */
async function onItsWay(session: TraceSession, asked: Asked, progress: SinkProgress): Promise<Told> {
  const { event } = asked;
  const { partition, offset } = event;
  const found = await findOutcome(session.parts, { progress, partition, offset }, session.options);
  const why = await whyOf(
    session,
    asked,
    ({ role, kind }) => role !== 'import' && kind !== 'closed' && kind !== 'lost',
  );
  if (found === undefined)
    return { state: 'unmapped', text: 'It is not in staging yet; whether it is mapped is not known now.', ...why };
  if (found === 'none') {
    const gone =
      event.missing === undefined ? '' : ' The log does not have it any more: it will be counted as lost (a hole).';
    return { state: 'unmapped', text: `It waits to be mapped.${gone}`, ...why };
  }
  const { mappingVersion, kind } = found;
  if (kind === 'lost')
    return { state: 'lost', text: 'The log lost it before it was mapped: it is counted as a hole.', mappingVersion };
  if (kind === 'none') return { state: 'none', text: 'The log has no event at this offset.', mappingVersion };
  const outcome = kind === 'packed' ? await outcomeOf(session, asked, mappingVersion) : kind;
  const made = outcome === undefined ? 'one of several of its record' : kindText[outcome];
  const text = `It is mapped to ${made}, by version ${mappingVersion} of the mapping, and not in staging yet.`;
  return { state: 'mapped', text, mappingVersion, ...(outcome === undefined ? {} : { outcome }), ...why };
}

async function whyOf(
  session: TraceSession,
  { sink, incarnation, event }: Asked,
  isAbout: (finding: Finding) => boolean,
): Promise<Pick<SinkTrace, 'why'>> {
  const why = await session.whyOf(sink);
  const own = [why, ...(why?.earlier ?? [])].find((one) => one?.incarnation === incarnation);
  const findings = (own?.findings ?? []).filter(
    (finding) => isAbout(finding) && (finding.partitions?.includes(event.partition) ?? true),
  );
  return findings.length === 0 ? {} : { why: findings };
}

/** The sink has passed its offset: it is in staging, or one of the numbers of D4 counts it. */
async function decided(session: TraceSession, asked: Asked, facts: Decided): Promise<Told> {
  const held = heldIn(facts.progress, asked.event);
  if (held !== undefined) {
    const outcome = await outcomeOf(session, asked, held.slice.mappingVersion);
    if (outcome === 'filtered') return filtered(held.slice.mappingVersion);
    return inStaging(session, asked, { ...held, outcome });
  }
  return counted(session, asked, facts);
}

interface Held {
  readonly state: Extract<TraceState, 'staged' | 'importing' | 'parked'>;
  readonly slice: StagedSlice;
  readonly import?: TracedImport;
}

function heldIn({ staged, parked, importing }: SinkProgress, event: PlacedEvent): Held | undefined {
  const holds = ({ partition, from, to }: StagedSlice): boolean =>
    partition === event.partition && from < event.offset && event.offset <= to;
  const running = importing?.slices.find(holds);
  if (importing !== undefined && running !== undefined)
    return { state: 'importing', slice: running, import: { number: importing.number, at: importing.startedAt } };
  const waiting = staged.find(holds);
  if (waiting !== undefined) return { state: 'staged', slice: waiting };
  const aside = parked.find(holds);
  return aside && { state: 'parked', slice: aside };
}

const heldText = { staged: 'waits for its import', importing: 'is being imported', parked: 'is set aside' } as const;

async function inStaging(
  session: TraceSession,
  asked: Asked,
  { state, slice, import: running, outcome }: Held & { readonly outcome: TriedOutcome['kind'] | undefined },
): Promise<Told> {
  const { id, partition, from, to, rows, dead, stagedAt, mappingVersion } = slice;
  const traced: TracedSlice = { id, partition, from, to, rows, dead, stagedAt };
  const certain = outcome ?? (dead === 0 ? 'row' : rows === 0 ? 'dead' : undefined);
  const made = certain === undefined ? 'A row or a dead letter' : certain === 'row' ? 'Its row' : 'Its dead letter';
  const number = running === undefined ? '' : ` by import ${running.number}, since ${at(running.at)}`;
  const text = `${made} is in staging since ${at(stagedAt)}, in the slice ${id}, which ${heldText[state]}${number}.`;
  const kinds: readonly Finding['kind'][] = ['failing', 'server', 'alarm', state];
  const why = await whyOf(session, asked, ({ kind, role }) => kinds.includes(kind) && (role ?? 'import') === 'import');
  return {
    state,
    text,
    mappingVersion,
    slice: traced,
    ...(certain === undefined ? {} : { outcome: certain }),
    ...(running === undefined ? {} : { import: running }),
    ...why,
  };
}
