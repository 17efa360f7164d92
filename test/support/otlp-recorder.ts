import type { Decoding, RecordVisitor } from '../../src/otlp/decode/record-visitor.ts';
import { bufferOf, WireBytes } from '../../src/otlp/wire/wire-bytes.ts';
import { WireText } from '../../src/otlp/wire/wire-text.ts';

/** All that a decoder tells, in its order; bytes as hexadecimal, so that it compares. */
export function recorded(decode: (visitor: RecordVisitor) => Decoding): readonly unknown[] {
  const told: unknown[] = [];
  const note = (...values: unknown[]): void => void told.push(values.map(plain));
  const decoding = decode({
    resource: (resource, schemaUrl) => note('resource', resource, schemaUrl),
    scope: (scope, schemaUrl) => note('scope', scope, schemaUrl),
    log: (record) => note('log', record),
    span: (span) => note('span', span),
    metric: (metric) => note('metric', metric),
    point: (point) => note('point', point),
  });
  while (decoding.next().done !== true);
  return told;
}

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof WireBytes) return { hex: bufferOf(value).toString('hex') };
  if (value instanceof WireText) return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
