import type { Signal } from '../../src/core/event.ts';
import type { Plain } from '../support/otlp-messages.ts';

/** What senders of OpenTelemetry send: a resource of a pod, one scope, and records with the attributes of its conventions. */

export const recordsPerRequest = 1000;

function value(content: string | number | boolean): Plain {
  if (typeof content === 'string') return { string_value: content };
  if (typeof content === 'boolean') return { bool_value: content };
  return Number.isInteger(content) ? { int_value: String(content) } : { double_value: content };
}

function attributes(fields: Readonly<Record<string, string | number | boolean>>): readonly Plain[] {
  return Object.entries(fields).map(([key, content]) => ({ key, value: value(content) }));
}

const resource = {
  attributes: attributes({
    'service.name': 'checkout',
    'service.namespace': 'shop',
    'service.version': '2.14.3',
    'service.instance.id': '627cc493-f310-47de-96bd-71410b7dec09',
    'deployment.environment.name': 'production',
    'telemetry.sdk.language': 'java',
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.version': '1.52.0',
    'k8s.namespace.name': 'shop',
    'k8s.pod.name': 'checkout-7c9d8b6f5-x2v4q',
    'k8s.node.name': 'ip-10-0-42-17.eu-central-1.compute.internal',
    'process.pid': 1,
  }),
};
const scope = { name: 'io.opentelemetry.tomcat-10.0', version: '2.14.0-alpha' };
const schema_url = 'https://opentelemetry.io/schemas/1.37.0';

/** Nanoseconds since the epoch of record `at`. */
function nanos(at: number): string {
  return String(1_763_900_000_000_000_000n + BigInt(at) * 1_234_567n);
}

function id(at: number, bytes: number): Buffer {
  const made = Buffer.alloc(bytes, 0x5a);
  made.writeUInt32BE((at * 2_654_435_761) >>> 0, 0);
  return made;
}

function request(at: number): readonly Plain[] {
  return attributes({
    'http.request.method': 'POST',
    'url.path': `/api/v1/carts/${100_000 + at}/items`,
    'http.response.status_code': at % 9 === 0 ? 409 : 201,
    'server.address': 'checkout.shop.svc.cluster.local',
    'user.id': `usr_${7_000_000 + at}`,
    'thread.name': `http-nio-8080-exec-${at % 20}`,
  });
}

function log(at: number): Plain {
  return {
    time_unix_nano: nanos(at),
    observed_time_unix_nano: nanos(at + 1),
    severity_number: 9,
    severity_text: 'INFO',
    body: { string_value: `Order ${100_000 + at} of customer "Jürgen" was placed in ${at % 97} ms` },
    attributes: request(at),
    flags: 1,
    trace_id: id(at, 16),
    span_id: id(at, 8),
  };
}

function span(at: number): Plain {
  const event = { time_unix_nano: nanos(at + 1), name: 'cart.locked', attributes: attributes({ 'cart.size': at % 7 }) };
  return {
    trace_id: id(at, 16),
    span_id: id(at + 1, 8),
    parent_span_id: id(at, 8),
    flags: 257,
    name: 'POST /api/v1/carts/{cart}/items',
    kind: 2,
    start_time_unix_nano: nanos(at),
    end_time_unix_nano: nanos(at + 40),
    attributes: [...request(at), ...attributes({ 'network.protocol.version': '1.1', 'client.port': 40_000 + at })],
    events: [event],
    status: at % 9 === 0 ? { code: 2, message: 'the cart is closed' } : { code: 1 },
  };
}

const explicit_bounds = [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000];

function histogramPoint(at: number): Plain {
  return {
    attributes: request(at).slice(0, 4),
    start_time_unix_nano: nanos(0),
    time_unix_nano: nanos(5000),
    count: String(1200 + at),
    sum: 8123.25 + at,
    min: 0.75,
    max: 4012.5,
    bucket_counts: Array.from({ length: explicit_bounds.length + 1 }, (_, bucket) => String((at * bucket) % 211)),
    explicit_bounds,
  };
}

function numberPoint(at: number): Plain {
  return {
    attributes: request(at).slice(0, 4),
    start_time_unix_nano: nanos(0),
    time_unix_nano: nanos(5000),
    ...(at % 2 === 0 ? { as_int: String(at * 31) } : { as_double: at / 7 }),
  };
}

function many(make: (at: number) => Plain, count = recordsPerRequest): readonly Plain[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

const cumulative = { aggregation_temporality: 2 };
const metrics: readonly Plain[] = [
  {
    name: 'http.server.request.duration',
    description: 'Duration of HTTP server requests.',
    unit: 'ms',
    histogram: { ...cumulative, data_points: many(histogramPoint, recordsPerRequest / 2) },
  },
  {
    name: 'http.server.active_requests',
    description: 'Number of active HTTP server requests.',
    unit: '{request}',
    sum: { ...cumulative, is_monotonic: false, data_points: many(numberPoint, recordsPerRequest / 2) },
  },
];

/** A request of so many log records. */
export function logsPayload(count: number): Plain {
  const scope_logs = [{ scope, log_records: many(log, count), schema_url }];
  return { resource_logs: [{ resource, scope_logs, schema_url }] };
}

/** A request of 1,000 records for each signal, as plain objects with the names of the definitions. */
export const otlpPayloads: Readonly<Record<Signal, Plain>> = {
  logs: logsPayload(recordsPerRequest),
  traces: { resource_spans: [{ resource, scope_spans: [{ scope, spans: many(span), schema_url }], schema_url }] },
  metrics: { resource_metrics: [{ resource, scope_metrics: [{ scope, metrics, schema_url }], schema_url }] },
};

/** The same as senders write JSON: 64-bit integers as texts, ids in hexadecimal. */
export function otlpJson(signal: Signal): string {
  return JSON.stringify(jsonOf(otlpPayloads[signal]));
}

function jsonOf(part: unknown): unknown {
  if (Buffer.isBuffer(part)) return part.toString('hex');
  if (Array.isArray(part)) return part.map(jsonOf);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [
      name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      jsonOf(inner),
    ]),
  );
}
