import { Buffer } from 'node:buffer';
import { reservedHeaders, signals, type Signal } from '../core/event.ts';
import { limits } from '../core/limits.ts';
import { formatByteSize } from '../core/settings/byte-size.ts';
import { readJson } from '../otlp/decode/json-request.ts';
import { readProtobuf } from '../otlp/decode/protobuf-request.ts';
import { Flattener } from '../otlp/flatten/flattener.ts';
import { OtlpFault } from '../otlp/otlp-fault.ts';
import { otlpMarks } from './read-otlp.ts';

/** The events of a request that another producer wrote as one record, or why there are none; the problem is a part of a sentence. */
export type UnpackedRequest =
  | { readonly kind: 'packed'; readonly events: readonly UnpackedEvent[] }
  | { readonly kind: 'undecodable'; readonly problem: string };

export interface UnpackedEvent {
  /** A flattened record of OTLP. */
  readonly value: Buffer;
  /** A flat list. */
  readonly headers: readonly string[];
}

interface Packed {
  readonly value: Uint8Array;
  /** A flat list. */
  readonly headers: readonly string[];
}

/**
 * Reads a record that holds a request of OTLP in protobuf or JSON, as the Kafka exporter of the Collector writes it. JSON says itself what
 * it holds; of protobuf a header says it. Each event has the headers of the record. Never throws.
 */
export function unpackOtlp({ value, headers }: Packed): UnpackedRequest {
  if (value.length > limits.eventBytes)
    return undecodable(`it has ${value.length} bytes, over the limit of ${limits.eventBytes}`);
  const body = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const json = jsonStart.exec(body.toString('latin1', 0, jsonStartBytes));
  const signal = signalNamed(headers) ?? signalOfKey[json?.[1] ?? ''];
  if (signal === undefined) return undecodable(json === null ? unnamed : unknownJson);
  try {
    return { kind: 'packed', events: eventsOf(body, { signal, isJson: json !== null, headers }) };
  } catch (thrown) {
    if (thrown instanceof OtlpFault) return undecodable(`it is no OTLP ${signal}: ${thrown.message}`);
    throw thrown;
  }
}

interface Reading {
  readonly signal: Signal;
  readonly isJson: boolean;
  readonly headers: readonly string[];
}

function eventsOf(body: Buffer, { signal, isJson, headers }: Reading): readonly UnpackedEvent[] {
  const own = otlpMarks[signal].concat(headers);
  const events: UnpackedEvent[] = [];
  let bytes = 0;
  const flattener = new Flattener((record) => {
    bytes += record?.length ?? 0;
    if (events.length === limits.otlpRecords) throw new OtlpFault(`it holds more than ${limits.otlpRecords} records.`);
    if (record === undefined || bytes > limits.otlpRecordsBytes) throw new OtlpFault(tooLarge);
    events.push({ value: record, headers: own });
  }, limits.otlpRecordsBytes);
  const reading = isJson ? readJson(body, signal, flattener) : readProtobuf(body, signal, flattener);
  while (reading.next().done !== true);
  return events;
}

/** No message of OTLP in protobuf begins so: it would be a group, which none has. */
const jsonStart = /^\s*\{\s*(?:"(\w+)")?/;
const jsonStartBytes = 256;

const signalOfKey: Readonly<Record<string, Signal>> = {
  resourceLogs: 'logs',
  resourceMetrics: 'metrics',
  resourceSpans: 'traces',
};

const tooLarge = `its records, each with its resource and its scope, are over "${formatByteSize(limits.otlpRecordsBytes)}".`;
const unnamed =
  'nothing says whether it holds logs, metrics or traces: let the producer send the header "millrace-signal" ("record_headers" of the Collector\'s Kafka exporter, or "signal_header: true")';
const unknownJson =
  'it does not begin with "resourceLogs", "resourceMetrics" or "resourceSpans", and has no header "millrace-signal"';

/** Headers that name the signal: ours, and that of the Collector with `signal_header`. */
const signalHeaders: readonly string[] = [reservedHeaders.signal, 'otelcol.signal'];

/** The signal that a producer named. */
function signalNamed(headers: readonly string[]): Signal | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (!signalHeaders.includes(headers[at]?.toLowerCase() ?? '')) continue;
    return signals.find((known) => known === headers[at + 1]);
  }
  return undefined;
}

function undecodable(problem: string): UnpackedRequest {
  return { kind: 'undecodable', problem };
}
