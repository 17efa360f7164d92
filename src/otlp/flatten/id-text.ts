import { Buffer } from 'node:buffer';
import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';

/** An id of a trace in hexadecimal; empty where there is none, which all zeros say, too. Throws for another length. */
export function traceIdText(id: Uint8Array | undefined): string {
  return idText(id, 'trace', otlpLimits.traceIdBytes);
}

/** An id of a span in the same way. */
export function spanIdText(id: Uint8Array | undefined): string {
  return idText(id, 'span', otlpLimits.spanIdBytes);
}

function idText(id: Uint8Array | undefined, kind: string, length: number): string {
  if (id === undefined || id.length === 0) return '';
  if (id.length !== length)
    throw new OtlpFault(`A ${kind} id has ${id.length} bytes: it must have ${length}, or none.`);
  const text = Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex');
  return /[^0]/.test(text) ? text : '';
}
