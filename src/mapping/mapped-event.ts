import { isUtf8 } from 'node:buffer';
import { v5 } from 'uuid';
import { reservedHeaders, type BodyFormat, type Event, type Signal } from '../core/event.ts';
import type { Offset, Partition } from '../core/offset.ts';
import type { BodyScan } from './body-paths.ts';
import { canonicalHeaders } from './canonical-headers.ts';
import { isReserved, openEnvelope, type Envelope, type EnvelopeReader } from './envelope.ts';
import { HeaderLayout } from './header-layout.ts';
import { parseJsonBody, type JsonBody } from './json-body.ts';
import { parseForm, type FormResult } from './form-body.ts';
import { howRead, readBySchema } from './how-read.ts';
import { parseMultipart } from './multipart-body.ts';

/** The part of a log's record that is the event; `headers` may be a getter that decodes on its first use. */
export interface EventRecord {
  readonly value: Uint8Array;
  readonly headers: readonly string[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

export interface RecordPlace {
  readonly topic: string;
  readonly partition: Partition;
  readonly offset: Offset;
  /** Of an event of a record that holds several: which one, from 0. */
  readonly item?: number;
}

/** How a record is read. */
export interface RecordReading {
  /** What its value was decoded to, if it was. */
  readonly json?: Uint8Array | undefined;
  /** Shared by records that were stored together, whose headers are mostly the same. */
  readonly envelopes?: EnvelopeReader | undefined;
}

/** Namespace of the ids that are made from a place in a topic. */
const placeNamespace = '6f1c9f4e-0f0b-5a53-9d6f-3c6c1c0f1b7a';

const jsonFormat: BodyFormat = { kind: 'json' };

/**
 * An event at rest in a topic, and what was read of it so far: nothing is decoded or parsed before a column needs it,
 * and nothing twice, however many columns and sinks there are.
 */
export class MappedEvent implements Event {
  readonly body: Uint8Array;
  readonly arrivedAt: number;
  /** The last pass over the body, kept by `BodyPaths`. */
  bodyScan: BodyScan | undefined;
  readonly #record: EventRecord;
  readonly #place: RecordPlace;
  readonly #isDecoded: boolean;
  readonly #envelopes: EnvelopeReader | undefined;
  /** As they were read, of which a record may make new ones each time. */
  #recordHeaders: readonly string[] | undefined;
  #envelope: Envelope | undefined;
  #headers: readonly string[] | undefined;
  #id: string | undefined;
  #isUtf8: boolean | undefined;
  #headersJson: string | undefined;
  #form: FormResult | undefined;
  #json: JsonBody | undefined;
  #canonicalHeaders: Readonly<Record<string, string>> | undefined;

  constructor(record: EventRecord, place: RecordPlace, { json, envelopes }: RecordReading) {
    this.body = json ?? record.value;
    this.#isDecoded = json !== undefined;
    this.#envelopes = envelopes;
    this.arrivedAt = record.timestamp;
    this.#record = record;
    this.#place = place;
  }

  get id(): string {
    this.#id ??= this.#givenId() ?? idOfPlace(this.#place);
    return this.#id;
  }

  get remoteAddress(): string {
    return this.#open().remoteAddress;
  }

  get signal(): Signal | undefined {
    return this.#open().signal;
  }

  get format(): BodyFormat {
    return this.#isDecoded ? jsonFormat : this.#open().format;
  }

  /** As what the body is read and why, for people: `read as JSON, as its Content-Type says`. */
  get howRead(): string {
    return this.#isDecoded ? readBySchema : howRead(this.#open());
  }

  get headers(): readonly string[] {
    this.#headers ??= visibleHeaders(this.#read());
    return this.#headers;
  }

  /** The text of a `headers` column; a layout that has seen such headers before makes it quicker. */
  headersJson(layout = new HeaderLayout()): string {
    this.#headersJson ??= layout.json(this.headers);
    return this.#headersJson;
  }

  /**
   * The headers of a record that would be this event again, with its body for a value, whoever wrote the one that it was: those of the
   * product say what is known of it otherwise.
   */
  get recordHeaders(): readonly string[] {
    const { id, remoteAddress, signal, format } = this;
    const read = format.kind === 'unsupported' ? 'none' : format.kind;
    return [
      ...this.headers,
      reservedHeaders.id,
      id,
      reservedHeaders.remoteAddress,
      remoteAddress,
      ...(signal === undefined ? [] : [reservedHeaders.signal, signal]),
      // Its boundary stands in the content type.
      ...(read === 'multipart' ? [] : [reservedHeaders.format, read]),
      ...(this.#open().reason === undefined ? [] : [reservedHeaders.formatReason, this.#open().reason ?? '']),
    ];
  }

  /** Characters of the names and values that `headers` has. */
  get headerLength(): number {
    return this.headers.reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether the whole body is valid UTF-8. */
  get isBodyUtf8(): boolean {
    this.#isUtf8 ??= isUtf8(this.body);
    return this.#isUtf8;
  }

  /** The headers by canonical name, in ascending order, repeated ones joined. */
  get canonicalHeaders(): Readonly<Record<string, string>> {
    this.#canonicalHeaders ??= Object.fromEntries(canonicalHeaders(this.headers));
    return this.#canonicalHeaders;
  }

  /** The body read as JSON, whatever its format says. */
  get json(): JsonBody {
    this.#json ??= parseJsonBody(this.body, this.isBodyUtf8);
    return this.#json;
  }

  /** The body read as a form: of several parts where its format says so. */
  get form(): FormResult {
    const { format } = this;
    this.#form ??= format.kind === 'multipart' ? parseMultipart(this.body, format.contentType) : parseForm(this.body);
    return this.#form;
  }

  #read(): readonly string[] {
    this.#recordHeaders ??= this.#record.headers;
    return this.#recordHeaders;
  }

  #open(): Envelope {
    this.#envelope ??= this.#envelopes?.open(this.#read()) ?? openEnvelope(this.#read());
    return this.#envelope;
  }

  #givenId(): string | undefined {
    const { idAt } = this.#open();
    const id = idAt === undefined ? undefined : this.#read()[idAt];
    return id !== undefined && isUuid(id) ? id : undefined;
  }
}

/** The headers without the reserved ones. */
function visibleHeaders(headers: readonly string[]): readonly string[] {
  const visible: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (!isReserved(name)) visible.push(name, headers[at + 1] ?? '');
  }
  return visible;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

function idOfPlace({ topic, partition, offset, item }: RecordPlace): string {
  const place = item === undefined ? [topic, partition, offset] : [topic, partition, offset, item];
  return v5(JSON.stringify(place), placeNamespace);
}
