import type { Incarnation } from '../../../core/ids.ts';
import type { Offset, Partition } from '../../../core/offset.ts';
import type { Sink } from '../../../core/sink.ts';
import type { Source } from '../../../core/source.ts';
import type { TriedOutcome } from '../../trials/trials.ts';
import type { RecordEvents } from './record-events.ts';
import type { SinkTrace } from './sink-trace.ts';
import type { IncarnationFacts, TraceSession } from './trace-session.ts';

/** An event whose place is known. */
export interface PlacedEvent {
  readonly partition: Partition;
  readonly offset: Offset;
  readonly id: string;
  /** Its record, and which of the record's events it is; absent: the log does not have it. */
  readonly record?: RecordEvents;
  readonly item: number;
  /** What the log says of an offset without a record: that retention took it, or that it never had one, or lost it. */
  readonly missing?: 'removed' | 'none' | 'lost';
}

/** An event, and the incarnation of a sink that is asked about it. */
export interface Asked {
  readonly source: Source;
  readonly sink: Sink;
  readonly incarnation: Incarnation;
  readonly event: PlacedEvent;
}

/** What is told of it. */
export type Told = Omit<SinkTrace, 'sinkId' | 'incarnation' | 'isDeleted'>;

/** What is known of an incarnation that has passed the offset. */
export interface Decided extends IncarnationFacts {
  /** It is known to be inside of an interval. */
  readonly isCertain: boolean;
}

/** What a version of the mapping makes of the event. */
export async function triedOf(
  session: TraceSession,
  { incarnation, event: { record, item } }: Asked,
  version: number,
): Promise<TriedOutcome | undefined> {
  if (record === undefined) return undefined;
  const outcomes = await session.outcomesOf(record, await session.mappingOf(incarnation, version));
  return outcomes?.[item];
}

export async function outcomeOf(
  session: TraceSession,
  asked: Asked,
  version: number,
): Promise<TriedOutcome['kind'] | undefined> {
  return (await triedOf(session, asked, version))?.kind;
}

/** Its mapping did not want it. */
export function filtered(mappingVersion: number | undefined): Told {
  const by = mappingVersion === undefined ? '' : `, by version ${mappingVersion} of the mapping`;
  const text = `The sink is not for it: it was filtered${by}.`;
  return { state: 'filtered', text, ...(mappingVersion === undefined ? {} : { mappingVersion }) };
}
