import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';
import type { Signal } from '../../core/event.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { senderAddress, type TrustedProxies } from '../../core/sender-address.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import type { Source, SourceType } from '../../core/source.ts';
import { codingsOf } from '../../events/encoding/content-codings.ts';
import { decodedHeaders } from '../../events/encoding/decoded-headers.ts';
import type { Decoders } from '../../events/encoding/decoders.ts';
import { clientHeaders } from '../../events/client-headers.ts';
import { createEventIds, type EventIds } from '../../events/event-id.ts';
import { eventRecords, identify } from '../../events/event-records.ts';
import { boundedByBody } from '../../events/memory.ts';
import { otlpMarks } from '../../events/read-otlp.ts';
import { readRequest } from '../../events/read-request.ts';
import type { Fault, Refusal } from '../../events/refusal.ts';
import { bodyTooLarge, tooManyHeaders } from '../../events/request-limits.ts';
import { batchAsked, type BatchRequest } from '../../events/split-events.ts';
import { listOf, type NewRecord } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { TriedEvent } from '../trials/trials.ts';

export interface Payload {
  readonly body: Buffer;
  /** Of the call, as received. */
  readonly headers: readonly string[];
  readonly peer: string;
  readonly signal: Signal;
  /** How the call asks to be split. */
  readonly batch: BatchRequest | undefined;
}

/** What ingest of this installation believes and takes. */
export interface IngestRules {
  readonly proxies: TrustedProxies;
  readonly maxBodyBytes: number;
  readonly decoders: Decoders;
}

interface Received {
  readonly source: Source;
  readonly payload: Payload;
  readonly rules: IngestRules;
}

/** By type of source: whether a payload is one record, which has no content type of its own. */
const takesRecords: Readonly<Record<SourceType, boolean>> = { http: false, otlp: true };

/** The events that ingest would make of the payload, by the same code, without what authenticates the call; or its refusal. */
export async function payloadEvents(
  clock: Clock,
  received: Received,
  options: Waiting,
): Promise<readonly TriedEvent[]> {
  const { source, payload, rules } = received;
  refuse(payload.body.length > rules.maxBodyBytes ? bodyTooLarge(rules.maxBodyBytes) : undefined);
  const headers = withoutToken(payload.headers);
  refuse(tooManyHeaders(headers));
  const remoteAddress = senderOf(payload, rules.proxies);
  const arrivedAt = clock.now();
  const content = await decoded({ body: payload.body, rawHeaders: headers }, rules, options);
  const origin = { ...content, remoteAddress, arrivedAt };
  const records = takesRecords[source.type] ? flatRecord(received, origin) : await split(received, origin, options);
  return records.map(({ value, headers, sharedHeaders = [], timestamp }, offset) => ({
    record: { value, headers: [...headers, ...sharedHeaders], timestamp },
    place: { topic: source.topic, partition: 0, offset },
  }));
}

interface Content {
  readonly body: Buffer;
  readonly rawHeaders: readonly string[];
}

/** The body and the headers as ingest would have them: without content codings. */
async function decoded(content: Content, { maxBodyBytes, decoders }: IngestRules, options: Waiting): Promise<Content> {
  const codings = codingsOf(joined(content.rawHeaders, 'content-encoding'));
  if ('kind' in codings) throw asError(codings);
  if (codings.length === 0) return content;
  const body = await decoders.decode(
    { body: content.body, codings, maxBytes: maxBodyBytes, memory: boundedByBody },
    options,
  );
  options.signal.throwIfAborted();
  if ('kind' in body) throw asError(body);
  return { body, rawHeaders: decodedHeaders(content.rawHeaders, body.length) };
}

interface Origin extends Content {
  readonly remoteAddress: string;
  readonly arrivedAt: number;
}

async function split(
  { source, payload }: Received,
  origin: Origin,
  { signal }: Waiting,
): Promise<readonly NewRecord[]> {
  const contentType = firstOf(origin.rawHeaders, 'content-type');
  const steps = readRequest(
    { ...origin, contentType, memory: boundedByBody },
    {
      sources: [effectiveSettings(source.settings)],
      batch: batchAsked(contentType, payload.batch),
      answerBytes: 0,
      secrets: source.secrets.map(({ text }) => text),
    },
    newIds(),
  );
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) {
      if ('kind' in value) throw asError(value);
      return value.flatMap(({ records }) => listOf(records));
    }
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** One flattened record of an OTLP source: a JSON object, or nothing. */
function flatRecord({ source, payload }: Received, { body, rawHeaders, remoteAddress, arrivedAt }: Origin) {
  if (body.length > 0) checkRecord(body);
  const events = identify([body.length === 0 ? Buffer.from('{}') : body], arrivedAt, newIds());
  const headers = clientHeaders(
    rawHeaders,
    source.secrets.map(({ text }) => text),
  );
  return eventRecords(events, { remoteAddress, arrivedAt, marks: otlpMarks[payload.signal], headers });
}

function newIds(): EventIds {
  return createEventIds((words) => crypto.getRandomValues(words));
}

function checkRecord(body: Uint8Array): void {
  const rule = 'the body of an OTLP test must be one flattened record as a JSON object';
  let value: unknown;
  try {
    value = parseJsonText(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : 'not JSON';
    throw new MillraceError('input.invalid', `${rule}: ${reason}`, { cause: thrown });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MillraceError('input.invalid', rule);
}

function refuse(refused: Refusal | undefined): void {
  if (refused !== undefined) throw asError(refused);
}

const codeOf: Partial<Readonly<Record<Fault, ErrorCode>>> = {
  tooLarge: 'input.tooLarge',
  unsupported: 'input.unsupported',
};

function asError({ fault, message }: Refusal): MillraceError {
  return new MillraceError(codeOf[fault] ?? 'input.invalid', message);
}

/** The headers of the call without the one that authenticates it, which no sender would send. */
function withoutToken(headers: readonly string[]): readonly string[] {
  // An empty token does not authenticate: then it was the other header.
  const isBearer = (firstOf(headers, 'x-storageapi-token') ?? '') === '';
  const dropped = isBearer ? ['x-storageapi-token', 'authorization'] : ['x-storageapi-token'];
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    if (!dropped.includes(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

function senderOf({ headers, peer }: Payload, proxies: TrustedProxies): string {
  const origin = { peer, xForwardedFor: joined(headers, 'x-forwarded-for'), forwarded: joined(headers, 'forwarded') };
  return senderAddress(origin, proxies);
}

function joined(headers: readonly string[], wanted: string): string | undefined {
  const values = valuesOf(headers, wanted);
  return values.length === 0 ? undefined : values.join(', ');
}

function firstOf(headers: readonly string[], wanted: string): string | undefined {
  return valuesOf(headers, wanted)[0];
}

function valuesOf(headers: readonly string[], wanted: string): readonly string[] {
  return headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === wanted);
}
