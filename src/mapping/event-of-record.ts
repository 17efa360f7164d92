import { MappedEvent, type EventRecord, type RecordPlace, type RecordReading } from './mapped-event.ts';

/** By itself, as it is. */
const asItIs: RecordReading = {};

/**
 * The event that a record of a source topic holds. Nothing is decoded yet: `record.headers` is read when a column needs
 * an id, an address, headers or the format of the body. A record without a UUID in `millrace-id` gets one made of its
 * place, the same each time.
 */
export function eventOfRecord(record: EventRecord, place: RecordPlace, reading = asItIs): MappedEvent {
  return new MappedEvent(record, place, reading);
}

export type { EventRecord, MappedEvent, RecordPlace } from './mapped-event.ts';
