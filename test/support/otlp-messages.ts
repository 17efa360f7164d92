import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import type { Signal } from '../../src/core/event.ts';

const folder = join(import.meta.dirname, '../../src/otlp/definitions');

/** The official definitions as protobufjs reads them, which shares nothing with the product's codec. */
const root = new protobuf.Root();
for (const name of readdirSync(folder).filter((file) => file.endsWith('.proto')))
  protobuf.parse(readFileSync(join(folder, name), 'utf8'), root, { keepCase: true });
root.resolveAll();

const requests: Readonly<Record<Signal, string>> = {
  logs: 'opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest',
  metrics: 'opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest',
  traces: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
};

export type Plain = Readonly<Record<string, unknown>>;

/** An Export…ServiceRequest in protobuf, of plain objects with the names of the definitions. */
export function requestBytes(signal: Signal, request: Plain): Buffer {
  const type = root.lookupType(requests[signal]);
  return Buffer.from(type.encode(type.fromObject(request)).finish());
}

/** Back: every field is there, of a oneof its name; 64-bit integers are digits. */
export function requestOf(signal: Signal, bytes: Uint8Array): Plain {
  return plainOf(requests[signal], bytes);
}

/** An Export…ServiceResponse. */
export function responseOf(signal: Signal, bytes: Uint8Array): Plain {
  return plainOf(requests[signal].replace(/Request$/, 'Response'), bytes);
}

/** A `google.rpc.Status`. */
export function statusOf(bytes: Uint8Array): Plain {
  return plainOf('google.rpc.RpcStatus', bytes);
}

function plainOf(name: string, bytes: Uint8Array): Plain {
  const type = root.lookupType(name);
  const options = { longs: String, defaults: true, arrays: true, oneofs: true };
  return type.toObject(type.decode(bytes), options);
}

/** A request of so many log records, whose bodies are their numbers, of one resource. */
export function logsRequest(count: number, { resource = 'shop', body = '' } = {}): Buffer {
  const log_records = Array.from({ length: count }, (_, at) => ({
    time_unix_nano: '1700000000123456789',
    severity_number: 9,
    body: { string_value: `${body}${at}` },
  }));
  const attributes = [{ key: 'service.name', value: { string_value: resource } }];
  return requestBytes('logs', { resource_logs: [{ resource: { attributes }, scope_logs: [{ log_records }] }] });
}

/** A request of one item of a signal. */
export function smallRequest(signal: Signal): Buffer {
  switch (signal) {
    case 'logs':
      return logsRequest(1);
    case 'metrics': {
      const metrics = [{ name: 'm', gauge: { data_points: [{ as_int: '1' }] } }];
      return requestBytes('metrics', { resource_metrics: [{ scope_metrics: [{ metrics }] }] });
    }
    case 'traces':
      return requestBytes('traces', { resource_spans: [{ scope_spans: [{ spans: [{ name: 's' }] }] }] });
    default:
      return signal satisfies never;
  }
}
