import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';
import { WireBytes, type Bytes } from '../wire/wire-bytes.ts';
import { viewOf, type JsonWriter } from './json-writer.ts';

const quote = 0x22;

interface Kind {
  readonly name: string;
  readonly bytes: number;
}

const trace: Kind = { name: 'trace', bytes: otlpLimits.traceIdBytes };
const span: Kind = { name: 'span', bytes: otlpLimits.spanIdBytes };

/** An id of a trace in hexadecimal between quotes; empty where there is none, which all zeros say, too. Throws for another length. */
export function writeTraceId(out: JsonWriter, id: Bytes | undefined): void {
  writeDigits(out, hasId(id, trace) ? id : undefined);
}

/** An id of a span in the same way. */
export function writeSpanId(out: JsonWriter, id: Bytes | undefined): void {
  writeDigits(out, hasId(id, span) ? id : undefined);
}

/** An id of a trace behind its key; both are left out where there is none. */
export function traceIdField(out: JsonWriter, key: Uint8Array, id: Bytes | undefined): void {
  if (!hasId(id, trace)) return;
  out.constant(key);
  writeDigits(out, id);
}

/** An id of a span in the same way. */
export function spanIdField(out: JsonWriter, key: Uint8Array, id: Bytes | undefined): void {
  if (!hasId(id, span)) return;
  out.constant(key);
  writeDigits(out, id);
}

function writeDigits(out: JsonWriter, id: Bytes | undefined): void {
  out.byte(quote);
  if (id instanceof WireBytes) out.hex(id.body, id.start, id.length);
  else if (id !== undefined) out.hex(viewOf(id), 0, id.length);
  out.byte(quote);
}

function hasId(id: Bytes | undefined, { name, bytes }: Kind): id is Bytes {
  if (id === undefined || id.length === 0) return false;
  if (id.length !== bytes) throw new OtlpFault(`A ${name} id has ${id.length} bytes: it must have ${bytes}, or none.`);
  const [body, start] = id instanceof WireBytes ? [id.body, id.start] : [viewOf(id), 0];
  for (let at = start; at < start + bytes; at += 1) if (body.getUint8(at) !== 0) return true;
  return false;
}
