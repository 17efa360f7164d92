import { MappedEvent, type EventRecord, type RecordPlace } from './mapped-event.ts';

/**
 * The event that a record of a source topic holds. Nothing is decoded yet: `record.headers` is read when a column needs
 * an id, an address, headers or the format of the body. A record without a UUID in `millrace-id` gets one made of its
 * place, the same each time. `json` is the body when the record's value was decoded.
 */
export function eventOfRecord(record: EventRecord, place: RecordPlace, json?: Uint8Array): MappedEvent {
  return new MappedEvent(record, place, json);
}

export type { EventRecord, MappedEvent, RecordPlace } from './mapped-event.ts';
