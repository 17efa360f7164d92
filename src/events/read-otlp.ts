import type { Buffer } from 'node:buffer';
import { reservedHeaders, type Signal } from '../core/event.ts';
import { limits } from '../core/limits.ts';
import { formatByteSize } from '../core/settings/byte-size.ts';
import { readJson } from '../otlp/decode/json-request.ts';
import { readProtobuf } from '../otlp/decode/protobuf-request.ts';
import { Flattener } from '../otlp/flatten/flattener.ts';
import { OtlpFault } from '../otlp/otlp-fault.ts';
import { clientHeaders } from './client-headers.ts';
import type { EventIds } from './event-id.ts';
import { eventRecords, identify } from './event-records.ts';
import { EventRoom } from './event-room.ts';
import type { ExchangeMemory } from './memory.ts';
import type { ReceivedRequest, SourceRecords } from './read-request.ts';
import { refusal, type Refusal } from './refusal.ts';

/** How a body of OTLP is written. */
export type OtlpEncoding = 'protobuf' | 'json';

/** A request that is known to be of a sender of OTLP. */
export interface OtlpRequest extends Omit<ReceivedRequest, 'contentType'> {
  readonly signal: Signal;
  readonly encoding: OtlpEncoding;
  /** What no event may hold (A29). */
  readonly secrets: readonly string[];
}

/** What every source gets, and what nobody gets. */
export interface OtlpRecords<Source> {
  readonly kind: 'records';
  readonly writes: readonly SourceRecords<Source>[];
  /** Records that are too large for an event. */
  readonly rejected: number;
}

/**
 * Each record of the request is one event: flattened, with the same id in all sources. A refusal means that nothing of the request may be
 * stored. It pauses so that a large body can be read in turns.
 */
export function* readOtlp<Source>(
  request: OtlpRequest,
  sources: readonly Source[],
  ids: EventIds,
): Generator<void, OtlpRecords<Source> | Refusal> {
  const { rawHeaders, remoteAddress, arrivedAt, signal } = request;
  const headers = clientHeaders(rawHeaders, request.secrets);
  const room = new EventRoom(request.memory, { headers, sources: sources.length, answerBytes: 0 });
  const taken = new TakenRecords(request.memory, room);
  try {
    const flattener = new Flattener((record) => taken.take(record), limits.otlpRecordBytes);
    yield* decoding(request, flattener);
  } catch (error) {
    if (error instanceof OtlpFault) return undecodable(request, error.message);
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
  const events = identify(taken.bodies, arrivedAt, ids);
  const format = otlpMarks[signal];
  const marks = request.marks === undefined ? format : format.concat(request.marks);
  const records = eventRecords(events, { remoteAddress, arrivedAt, marks, headers });
  const writes = sources.map((source) => ({ source, records, ids: events.ids }));
  return { kind: 'records', writes, rejected: taken.rejected };
}

function decoding({ body, signal, encoding }: OtlpRequest, flattener: Flattener): Generator<void, void> {
  switch (encoding) {
    case 'protobuf':
      return readProtobuf(body, signal, flattener);
    case 'json':
      return readJson(body, signal, flattener);
    default:
      return encoding satisfies never;
  }
}

/** What says that an event is a flattened record of OTLP. */
export const otlpMarks: Readonly<Record<Signal, readonly string[]>> = {
  logs: marksOf('logs'),
  metrics: marksOf('metrics'),
  traces: marksOf('traces'),
};

function marksOf(signal: Signal): readonly string[] {
  return [reservedHeaders.signal, signal, reservedHeaders.format, 'json', reservedHeaders.formatReason, 'otlp'];
}

/** The records of a request as far as there is room for them. */
class TakenRecords {
  readonly bodies: Buffer[] = [];
  rejected = 0;
  readonly #memory: ExchangeMemory;
  readonly #room: EventRoom;
  #bytes = 0;

  constructor(memory: ExchangeMemory, room: EventRoom) {
    this.#memory = memory;
    this.#room = room;
  }

  /** Throws `Refused` when there is no room. */
  take(body: Buffer | undefined): void {
    if (body === undefined) {
      this.rejected += 1;
      return;
    }
    if (this.bodies.length === limits.otlpRecords) throw new Refused(tooManyRecords);
    this.#bytes += body.length;
    if (this.#bytes > limits.otlpRecordsBytes) throw new Refused(tooLargeFlattened);
    if (!this.#memory.hold(body.length)) throw new Refused(this.#memory.whyNot(body.length));
    const refused = this.#room.take(1);
    if (refused !== undefined) throw new Refused(refused);
    this.bodies.push(body);
  }
}

/** Carries a refusal out of a decoder. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refused: Refusal) {
    super(refused.message);
    this.refusal = refused;
  }
}

const tooManyRecords = refusal(
  'tooLarge',
  'tooManyEvents',
  `The request holds more than ${limits.otlpRecords} records. Nothing was stored. Send smaller batches.`,
);

const tooLargeFlattened = refusal(
  'tooLarge',
  'payloadTooLarge',
  `Each record is stored with its resource and its scope: together they are over the maximum "${formatByteSize(limits.otlpRecordsBytes)}". Nothing was stored. Send smaller batches.`,
);

/** What the sender of records that were rejected is told; empty where none was. */
export function rejectedMessage(rejected: number): string {
  if (rejected === 0) return '';
  const records = rejected === 1 ? 'record was' : 'records were';
  return `${rejected} ${records} rejected: larger than the maximum "${formatByteSize(limits.otlpRecordBytes)}" with resource and scope. The others are stored.`;
}

function undecodable({ signal, encoding }: OtlpRequest, why: string): Refusal {
  const name = encoding === 'json' ? 'JSON' : 'protobuf';
  return refusal(
    'invalid',
    'badRequest',
    `The body cannot be decoded as OTLP ${signal} in ${name}. ${why} Nothing was stored.`,
  );
}
