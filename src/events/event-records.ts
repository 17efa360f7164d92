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

/** The records of events: the product's headers, its id first, then the client's; what is the same for all of a batch they share. */
export function eventRecords({ bodies, ids }: IdentifiedEvents, origin: Origin): readonly NewRecord[] {
  const { remoteAddress, arrivedAt: timestamp, marks, headers } = origin;
  const [value] = bodies;
  if (value === undefined) return [];
  if (bodies.length === 1) {
    const [id = ''] = ids;
    const own = [reservedHeaders.id, id, reservedHeaders.remoteAddress, remoteAddress, ...marks, ...headers];
    return [{ value, headers: own, sharedHeaders: none, timestamp }];
  }
  const sharedHeaders = [reservedHeaders.remoteAddress, remoteAddress, ...marks, ...headers];
  const shared = { sharedHeaders, timestamp };
  return bodies.map((body, at) => new RecordOfMany(body, ids[at] ?? '', shared));
}

type Shared = Required<Pick<NewRecord, 'sharedHeaders' | 'timestamp'>>;

/**
 * One of many events of a request. It waits for the disk together with thousands of others, and what collections of young objects have to
 * copy meanwhile is a good part of what a line costs: so it holds nothing that can be made when somebody asks for it.
 */
class RecordOfMany implements NewRecord {
  readonly value: Buffer;
  readonly #id: string;
  readonly #shared: Shared;

  constructor(value: Buffer, id: string, shared: Shared) {
    this.value = value;
    this.#id = id;
    this.#shared = shared;
  }

  get headers(): readonly string[] {
    return [reservedHeaders.id, this.#id];
  }

  get sharedHeaders(): readonly string[] {
    return this.#shared.sharedHeaders;
  }

  get timestamp(): number {
    return this.#shared.timestamp;
  }
}
