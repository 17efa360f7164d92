import { setImmediate } from 'node:timers/promises';
import { reservedHeaders, type Signal } from '../../core/event.ts';
import type { SourceKey } from '../../core/ids.ts';
import { senderAddress, type TrustedProxies } from '../../core/sender-address.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source, SourceType } from '../../core/source.ts';
import { compileMapping, type CompiledMapping } from '../../mapping/compile-mapping.ts';
import { eventOfRecord } from '../../mapping/event-of-record.ts';
import type { MappedEvent } from '../../mapping/mapped-event.ts';
import { renderColumns, type RenderedColumn } from '../../mapping/render-columns.ts';
import { v7 } from 'uuid';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { MillraceError } from '../../core/millrace-error.ts';

type TestPayloadParts = Pick<Parts, 'clock' | 'definitions' | 'templates'>;

export interface Payload {
  readonly body: Uint8Array;
  /** Of the call, as received. */
  readonly headers: readonly string[];
  readonly peer: string;
  readonly signal: Signal;
}

/** What one sink makes of the payload. */
export interface TestedSink {
  readonly sink: Sink;
  readonly columns: readonly RenderedColumn[];
}

/** By type of source: whether a payload is one record, which has no content type of its own. */
const takesRecords: Readonly<Record<SourceType, boolean>> = { http: false, otlp: true };

/** So many characters of cells stand in one answer. */
const maxShownLength = 16 * 1024 * 1024;

/** Maps a payload by every sink of the source, disabled ones included; nothing is stored. */
export async function testPayload(
  parts: TestPayloadParts,
  { key, payload, proxies }: { readonly key: SourceKey; readonly payload: Payload; readonly proxies: TrustedProxies },
  options: Waiting,
): Promise<readonly TestedSink[]> {
  const source = await parts.definitions.source(key, options);
  if (takesRecords[source.type]) checkRecord(payload.body);
  const event = eventOf(parts, { source, payload, proxies });
  const tested: TestedSink[] = [];
  for (const sink of await parts.definitions.sinks(key, options)) {
    const { tableId, columns } = sink.table;
    const { incarnation, mappingVersion, allowedSignals } = sink;
    const compiled = compileMapping(
      { incarnation, version: mappingVersion, tableId, columns, allowedSignals },
      { templates: parts.templates },
    );
    try {
      if (compiled.wants(event)) tested.push({ sink, columns: await rendered(compiled, event, options) });
    } finally {
      compiled.release();
    }
    checkSize(tested);
  }
  return tested;
}

/**
 * D8: between two columns the thread does other things; once the time of the request is over, no more columns are
 * rendered.
 */
async function rendered(
  compiled: CompiledMapping,
  event: MappedEvent,
  { signal }: Waiting,
): Promise<readonly RenderedColumn[]> {
  const columns: RenderedColumn[] = [];
  for (const column of renderColumns(compiled, event)) {
    columns.push(column);
    await setImmediate();
    signal.throwIfAborted();
  }
  return columns;
}

/** D8: every row has its limit, but a payload that a hundred sinks copy would still make an answer that nobody can hold. */
function checkSize(tested: readonly TestedSink[]): void {
  let length = 0;
  for (const { columns } of tested)
    for (const column of columns) length += 'value' in column ? column.value.length : column.error.length;
  if (length <= maxShownLength) return;
  const message = `the rows of all sinks are over the maximum of ${maxShownLength} characters together: test a smaller payload`;
  throw new MillraceError('input.tooLarge', message);
}

/** The record that ingest would have made of the call, without what authenticates it. */
function eventOf(
  { clock }: Pick<Parts, 'clock'>,
  {
    source,
    payload,
    proxies,
  }: { readonly source: Source; readonly payload: Payload; readonly proxies: TrustedProxies },
): MappedEvent {
  const isRecord = takesRecords[source.type];
  const origin = {
    peer: payload.peer,
    xForwardedFor: joined(payload.headers, 'x-forwarded-for'),
    forwarded: joined(payload.headers, 'forwarded'),
  };
  const { defaultContentType } = effectiveSettings(source.settings);
  const hasType = joined(payload.headers, 'content-type') !== undefined;
  const headers = [
    ...visibleHeaders(payload.headers),
    ...(hasType || isRecord || defaultContentType === '' ? [] : ['Content-Type', defaultContentType]),
    reservedHeaders.id,
    v7({ msecs: clock.now() }),
    reservedHeaders.remoteAddress,
    senderAddress(origin, proxies),
    ...(isRecord ? [reservedHeaders.signal, payload.signal, reservedHeaders.format, 'json'] : []),
  ];
  const value = isRecord && payload.body.length === 0 ? Buffer.from('{}') : payload.body;
  return eventOfRecord({ value, headers, timestamp: clock.now() }, { topic: source.topic, partition: 0, offset: 0 });
}

/** Without the token of the call, and without what only the product may set. */
function visibleHeaders(headers: readonly string[]): readonly string[] {
  const own = joined(headers, 'x-storageapi-token') ?? '';
  // An empty one does not authenticate: then it was the other.
  const dropped = own === '' ? ['x-storageapi-token', 'authorization'] : ['x-storageapi-token'];
  const kept: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    const lower = name.toLowerCase();
    if (!dropped.includes(lower) && !lower.startsWith(reservedHeaders.prefix)) kept.push(name, value);
  }
  return kept;
}

function joined(headers: readonly string[], wanted: string): string | undefined {
  const values = headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === wanted);
  return values.length === 0 ? undefined : values.join(', ');
}

/** The body of an OTLP test is one flattened record: a JSON object, or nothing. */
function checkRecord(body: Uint8Array): void {
  if (body.length === 0) return;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : 'not JSON';
    throw new MillraceError(
      'input.invalid',
      `the body of an OTLP test must be one flattened record as a JSON object: ${reason}`,
      { cause: thrown },
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new MillraceError('input.invalid', 'the body of an OTLP test must be one flattened record as a JSON object');
}
