import { limits } from '../core/limits.ts';
import { formatByteSize } from '../core/settings/byte-size.ts';
import type { ExchangeMemory } from './memory.ts';
import { refusal, refusals, type Refusal } from './refusal.ts';

/** About how much an event takes besides its bytes and headers. */
const eventBytes = 512;

/** About how much a name or a value of a header takes besides its text, in each event. */
const headerTextBytes = 8;

/** What is true of all events of a request. */
interface Shared {
  /** A flat list: every event is stored with it. */
  readonly headers: readonly string[];
  /** How many sources get the events. */
  readonly sources: number;
  /** What the answer says of each event takes so many bytes. */
  readonly answerBytes: number;
}

/**
 * What the events of one request may take. It is asked as they are found, before any of them becomes a record: each of
 * them has the headers of the request and its place in the answer, so that few bytes sent can be many stored and answered.
 */
export class EventRoom {
  readonly #memory: ExchangeMemory;
  readonly #shared: Shared;
  #events = 0;
  #headerBytes: number | undefined;

  constructor(memory: ExchangeMemory, shared: Shared) {
    this.#memory = memory;
    this.#shared = shared;
  }

  /** So many more events are there. The first one is counted with its request. */
  take(events: number): Refusal | undefined {
    const { sources, answerBytes } = this.#shared;
    const records = events * sources - (this.#events === 0 && events > 0 ? 1 : 0);
    this.#events += events;
    if (records <= 0) return undefined;
    this.#headerBytes ??= headerBytesOf(this.#shared.headers);
    if (this.#events * this.#headerBytes > limits.batchHeaderBytes) return headersTimesEvents;
    const bytes = records * (eventBytes + this.#headerBytes);
    if (!this.#memory.hold(bytes)) return this.#memory.whyNot(bytes);
    return this.#memory.holdAnswer(records * answerBytes) ? undefined : refusals.tooManyRequests;
  }
}

function headerBytesOf(headers: readonly string[]): number {
  let bytes = 0;
  for (const text of headers) bytes += text.length + headerTextBytes;
  return bytes;
}

const headersTimesEvents = refusal(
  'tooLarge',
  'payloadTooLarge',
  `Each event is stored with the headers of its request: together they are over the maximum "${formatByteSize(limits.batchHeaderBytes)}". Nothing was stored. Send smaller batches, or fewer headers.`,
);
