import { reservedHeaders } from '../core/event.ts';
import type { NewRecord, NewRecords, RecordRun, RunHeader } from '../ports/event-log.ts';
import { idBytes, type EventIds } from './event-id.ts';
import type { EventSpans } from './event-spans.ts';
import { IdTexts } from './id-texts.ts';

/** Events of one request, each with the id that it has in every source that gets it. */
export type IdentifiedEvents = IdentifiedBodies | IdentifiedSpans;

export interface IdentifiedBodies {
  readonly kind: 'bodies';
  readonly bodies: readonly Buffer[];
  readonly ids: readonly string[];
}

interface IdentifiedSpans {
  readonly kind: 'spans';
  readonly spans: EventSpans;
  readonly ids: IdTexts;
}

/** Gives events their ids; nothing else does. `arrivedAt` in milliseconds since the epoch. */
export function identify(
  bodies: readonly Buffer[],
  arrivedAt: number,
  ids: (nowMs: number) => string,
): IdentifiedBodies {
  const made: string[] = [];
  while (made.length < bodies.length) made.push(ids(arrivedAt));
  return { kind: 'bodies', bodies, ids: made };
}

/** The same for events that lie in one body. */
export function identifySpans(spans: EventSpans, arrivedAt: number, ids: EventIds): IdentifiedEvents {
  if (spans.length <= 1) return identify(spans.bodies(), arrivedAt, ids);
  return { kind: 'spans', spans, ids: new IdTexts(spans.length, arrivedAt, ids) };
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
const emptyBody = Buffer.alloc(0);

/** The records of events: the product's headers, its id first, then the client's; what is the same for all of a batch they share. */
export function eventRecords(events: IdentifiedBodies, origin: Origin): readonly NewRecord[];
export function eventRecords(events: IdentifiedEvents, origin: Origin): NewRecords;
export function eventRecords(events: IdentifiedEvents, origin: Origin): NewRecords {
  const { remoteAddress, arrivedAt: timestamp, marks, headers } = origin;
  if (events.kind === 'bodies' && events.bodies.length === 1) {
    const { bodies, ids } = events;
    const [value = emptyBody] = bodies;
    const [id = ''] = ids;
    const own = [reservedHeaders.id, id, reservedHeaders.remoteAddress, remoteAddress, ...marks, ...headers];
    return [{ value, headers: own, sharedHeaders: none, timestamp }];
  }
  const sharedHeaders = [reservedHeaders.remoteAddress, remoteAddress, ...marks, ...headers];
  const shared = { sharedHeaders, timestamp };
  if (events.kind === 'spans') return new RunOfEvents(events, shared);
  const { bodies, ids } = events;
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

/** The events of a body, which nothing is made of until somebody asks. */
class RunOfEvents implements RecordRun {
  readonly length: number;
  readonly memory: Buffer;
  readonly bounds: readonly number[];
  readonly valueBytes: number;
  readonly longestBytes: number;
  readonly firstHeader: RunHeader;
  readonly sharedHeaders: readonly string[];
  readonly timestamp: number;
  readonly #events: IdentifiedSpans;

  constructor(events: IdentifiedSpans, { sharedHeaders, timestamp }: Shared) {
    const { spans, ids } = events;
    this.length = spans.length;
    this.memory = spans.memory;
    this.bounds = spans.bounds;
    this.valueBytes = spans.bytes;
    this.longestBytes = spans.longest;
    this.firstHeader = { name: reservedHeaders.id, values: ids.bytes, valueBytes: idBytes };
    this.sharedHeaders = sharedHeaders;
    this.timestamp = timestamp;
    this.#events = events;
  }

  list(): readonly NewRecord[] {
    const { sharedHeaders, timestamp } = this;
    const shared = { sharedHeaders, timestamp };
    const bodies = this.#events.spans.bodies();
    return Array.from(this.#events.ids, (id, at) => new RecordOfMany(bodies[at] ?? emptyBody, id, shared));
  }
}
