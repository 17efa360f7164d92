import type { Offset, Partition } from '../../../core/offset.ts';
import type { KafkaValueFormat } from '../../../core/settings/millrace-settings.ts';
import type { Source } from '../../../core/source.ts';
import { unpackOtlp } from '../../../events/unpack-otlp.ts';
import { eventOfRecord } from '../../../mapping/event-of-record.ts';
import { isIngested } from '../../../mapping/is-ingested.ts';
import type { LogRecord } from '../../../ports/event-log.ts';
import type { TriedEvent } from '../../trials/trials.ts';

/** What says how the records of a source are read. */
export interface ReadingOf {
  readonly source: Source;
  readonly format: KafkaValueFormat;
}

/** A record of a source, and the events that it holds: one, or those of a request that another producer packed. */
export interface RecordEvents {
  readonly partition: Partition;
  readonly offset: Offset;
  readonly arrivedAt: number;
  readonly events: readonly TriedEvent[];
  /** The body is made by a schema of the registry, which is not done again here. */
  readonly isDecoded: boolean;
}

/** Takes a record apart as the mapping does. */
export function recordEvents(record: LogRecord, partition: Partition, { source, format }: ReadingOf): RecordEvents {
  const { value, headers, timestamp, offset } = record;
  const place = { topic: source.topic, partition, offset };
  const isForeign = !isIngested(headers);
  const at = { partition, offset, arrivedAt: timestamp, isDecoded: isForeign && format !== 'raw' };
  const whole = { ...at, events: [{ record: { value, headers, timestamp }, place }] };
  if (!isForeign || format !== 'raw' || source.type !== 'otlp') return whole;
  const unpacked = unpackOtlp({ value, headers });
  if (unpacked.kind !== 'packed' || unpacked.events.length === 0) return whole;
  const events = unpacked.events.map((event, item) => ({ record: { ...event, timestamp }, place: { ...place, item } }));
  return { ...at, events };
}

/** The id of an event, as all sinks have it. */
export function idOf({ record, place }: TriedEvent): string {
  return eventOfRecord(record, place).id;
}
