import type { Signal } from '../../src/core/event.ts';
import { readDefinitions } from './otlp-definitions.ts';

const root = readDefinitions({ keepCase: true });

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

const named: Readonly<Record<Signal, (name: string) => Plain>> = {
  logs: (body) => ({ scope_logs: [{ log_records: [{ body: { string_value: body } }] }] }),
  metrics: (name) => ({ scope_metrics: [{ metrics: [{ name, gauge: { data_points: [{ as_double: 1.5 }] } }] }] }),
  traces: (name) => ({
    scope_spans: [{ spans: [{ trace_id: Buffer.alloc(16, 1), span_id: Buffer.alloc(8, 2), name }] }],
  }),
};
const resources = { logs: 'resource_logs', metrics: 'resource_metrics', traces: 'resource_spans' } as const;

/** A request with a record of each name, each of a resource of its own: the body of a log record, the name of a metric or span. */
export function namedRequest(signal: Signal, names: readonly string[]): Buffer {
  return requestBytes(signal, { [resources[signal]]: names.map(named[signal]) });
}
