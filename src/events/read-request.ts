import { reservedHeaders, type BodyFormat, type FormatReason } from '../core/event.ts';
import type { EffectiveSettings } from '../core/settings/effective.ts';
import { bodyFormat } from '../mapping/body-format.ts';
import type { NewRecords } from '../ports/event-log.ts';
import { clientHeaders } from './client-headers.ts';
import type { EventIds } from './event-id.ts';
import { eventRecords, identify, identifySpans, type IdentifiedEvents } from './event-records.ts';
import { EventRoom } from './event-room.ts';
import type { IdList } from './id-texts.ts';
import type { ExchangeMemory } from './memory.ts';
import type { Refusal } from './refusal.ts';
import { isSentAsText, OneJsonText } from './one-json-text.ts';
import { splitEvents, type BatchMode, type BatchRequest, type SplitBody, type Splitting } from './split-events.ts';

/** A request whose body is there. */
export interface ReceivedRequest {
  readonly body: Buffer;
  readonly rawHeaders: readonly string[];
  readonly contentType: string | undefined;
  /** The sender's, as far as proxies can be believed. */
  readonly remoteAddress: string;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Reserved headers for all of its records, a flat list; undefined: none. */
  readonly marks?: readonly string[] | undefined;
  /** To be asked before much is made of the body. */
  readonly memory: ExchangeMemory;
}

/** How a request is read: where its events go, and what its sender asked for. */
export interface RequestRules<Source extends SourceRules> {
  readonly sources: readonly Source[];
  /** What the answer says of each event takes so many bytes. */
  readonly answerBytes: number;
  /** How it asks to be split; undefined: as each source says. */
  readonly batch: BatchRequest | undefined;
  /** What no event may hold (A29). */
  readonly secrets: readonly string[];
}

/** What a source says of the requests that it takes. */
export interface SourceRules {
  readonly batch: BatchMode;
  readonly contentType: EffectiveSettings['contentType'];
  /** Content type of requests that name none; empty: none. */
  readonly defaultContentType: string;
}

/** What one source gets of a request. */
export interface SourceRecords<Source> {
  readonly source: Source;
  readonly records: NewRecords;
  /** Of its events, in their order. */
  readonly ids: IdList;
}

interface Split {
  readonly events: IdentifiedEvents;
  readonly areJson: boolean;
}

/**
 * What every source gets; an event has the same id in all sources that split the request alike. A refusal of one source's split is one of
 * the request: nothing may be stored. It pauses so that a large body can be split in turns.
 */
export function* readRequest<Source extends SourceRules>(
  request: ReceivedRequest,
  { sources, batch, answerBytes, secrets }: RequestRules<Source>,
  ids: EventIds,
): Generator<void, readonly SourceRecords<Source>[] | Refusal> {
  const { body, rawHeaders, contentType, remoteAddress, arrivedAt } = request;
  const headers = clientHeaders(rawHeaders, secrets);
  const room = new EventRoom(request.memory, { headers, sources: sources.length, answerBytes });
  const splits: Partial<Record<BatchMode | 'path', Split>> = {};
  const whole = new OneJsonText(body);
  const read: SourceRecords<Source>[] = [];
  for (const source of sources) {
    const mode = batch ?? source.batch;
    // A request names one path at most.
    const key = typeof mode === 'string' ? mode : 'path';
    let known = splits[key];
    if (known === undefined) {
      const split = mode === 'off' ? unsplit(room, request, ids) : yield* splitWithin(room, splitEvents(body, mode));
      if (split.kind === 'refusal') return split;
      known =
        split.kind === 'unsplit'
          ? split
          : { events: identifySpans(split.events, arrivedAt, ids), areJson: split.areJson };
      splits[key] = known;
    }
    const format = known.areJson ? batchMarks : formatMarks(source, contentType, whole);
    const marks = request.marks === undefined ? format : format.concat(request.marks);
    const records = eventRecords(known.events, { remoteAddress, arrivedAt, marks, headers });
    read.push({ source, records, ids: known.events.ids });
  }
  return read;
}

/** The body is the event: that needs no steps. */
function unsplit(
  room: EventRoom,
  { body, arrivedAt }: ReceivedRequest,
  ids: EventIds,
): Refusal | (Split & { readonly kind: 'unsplit' }) {
  return room.take(1) ?? { kind: 'unsplit', events: identify([body], arrivedAt, ids), areJson: false };
}

/** Splits as far as there is room for the events, with a pause after each step. */
function* splitWithin(room: EventRoom, steps: Splitting): Generator<void, SplitBody | Refusal> {
  let taken = 0;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value.kind === 'refusal' ? value : (room.take(value.events.length - taken) ?? value);
    const refused = room.take(value - taken);
    if (refused !== undefined) return refused;
    taken = value;
    yield;
  }
}

/** What tells a format that Content-Type does not, and why. */
function marksOf(format: 'json' | 'form' | 'none', reason: FormatReason): readonly string[] {
  return [reservedHeaders.format, format, reservedHeaders.formatReason, reason];
}

const batchMarks = marksOf('json', 'batch');
const bodyMarks = marksOf('json', 'body');
const defaultMarks: Readonly<Record<BodyFormat['kind'], readonly string[]>> = {
  json: marksOf('json', 'default'),
  form: marksOf('form', 'default'),
  // A default has no boundary that a body could have.
  multipart: marksOf('none', 'default'),
  unsupported: marksOf('none', 'default'),
};
/** Neither the request nor its source says how to read it. */
const unread = [reservedHeaders.format, 'none'] as const;
const unmarked: readonly string[] = [];

/** The body may say better than its Content-Type what it is (A46); the source's default speaks where that says nothing (A37). */
function formatMarks(rules: SourceRules, contentType: string | undefined, whole: OneJsonText): readonly string[] {
  const { defaultContentType } = rules;
  if (contentType === jsonType) return unmarked;
  if (rules.contentType === 'auto' && isSentAsText(contentType ?? defaultContentType) && whole.isOne) return bodyMarks;
  if (contentType !== undefined) return unmarked;
  if (defaultContentType === '') return unread;
  return defaultMarks[bodyFormat({ decided: undefined, contentType: defaultContentType, ingested: true }).kind];
}

/** What most senders say, in these letters. */
const jsonType = 'application/json';
