import { reservedHeaders } from '../core/event.ts';
import type { NewRecord } from '../ports/event-log.ts';
import type { EventIds } from './event-id.ts';

/** Events of one request, each with the id that it has in every source that gets it. */
export interface IdentifiedEvents {
  readonly bodies: readonly Buffer[];
  readonly ids: readonly string[];
}

/** Gives events their ids; nothing else does. `arrivedAt` in milliseconds since the epoch. */
export function identify(bodies: readonly Buffer[], arrivedAt: number, ids: EventIds): IdentifiedEvents {
  const made: string[] = [];
  while (made.length < bodies.length) made.push(ids(arrivedAt));
  return { bodies, ids: made };
}

/** What is true of all events of a request. */
export interface Origin {
  readonly remoteAddress: string;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** What the product says of the events beside id and sender, by reserved headers: a flat list. */
  readonly marks: readonly string[];
  /** Headers of the client, a flat list, without what no event may hold (A29). */
  readonly headers: readonly string[];
}

const none: readonly string[] = [];

/** The records of events: the product's headers, then the client's; what is the same for all of a batch they share. */
export function eventRecords({ bodies, ids }: IdentifiedEvents, origin: Origin): readonly NewRecord[] {
  const { remoteAddress, arrivedAt, marks, headers } = origin;
  const all = marks.length === 0 ? headers : marks.concat(headers);
  const [behindOwn, sharedHeaders] = bodies.length > 1 ? [none, all] : [all, none];
  const records: NewRecord[] = [];
  for (const value of bodies) {
    const own = [reservedHeaders.id, ids[records.length] ?? '', reservedHeaders.remoteAddress, remoteAddress];
    records.push({ value, headers: own.concat(behindOwn), sharedHeaders, timestamp: arrivedAt });
  }
  return records;
}
