import type { Api } from '../../support/api.ts';
import { namedRequest } from '../../support/otlp-messages.ts';

/** Signals that are sent: each has a sink of its own in the one source, and both have one together. */
export type SentSignal = 'logs' | 'traces';

/** Some records of one signal, by their numbers; all of a request follows from its number. */
export interface OtlpRequest {
  readonly signal: SentSignal;
  readonly numbers: readonly number[];
}

export interface TelemetrySink {
  readonly sinkId: 'both' | SentSignal;
  readonly tableId: string;
  readonly takes: readonly SentSignal[];
}

const mostRecords = 12;

/** What the request with this number holds. */
export function otlpRequest(index: number): OtlpRequest {
  const count = 1 + (index % mostRecords);
  const numbers = Array.from({ length: count }, (_, at) => index * mostRecords + at);
  return { signal: index % 3 === 0 ? 'traces' : 'logs', numbers };
}

/** The number of the request that a record came with. */
export function requestIndexOf(record: number): number {
  return Math.floor(record / mostRecords);
}

export function protobufOf({ signal, numbers }: OtlpRequest): Buffer {
  return namedRequest(signal, numbers.map(String));
}

export function jsonOf({ signal, numbers }: OtlpRequest): string {
  if (signal === 'traces')
    return JSON.stringify({
      resourceSpans: [{ scopeSpans: [{ spans: numbers.map((number) => ({ name: String(number) })) }] }],
    });
  const logRecords = numbers.map((number) => ({ body: { stringValue: String(number) } }));
  return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
}

export const telemetrySinks: readonly TelemetrySink[] = [
  { sinkId: 'both', tableId: 'in.c-telemetry.both', takes: ['logs', 'traces'] },
  { sinkId: 'logs', tableId: 'in.c-telemetry.logs', takes: ['logs'] },
  { sinkId: 'traces', tableId: 'in.c-telemetry.traces', takes: ['traces'] },
];

const sourcePath = '/v1/branches/default/sources/telemetry';

export function telemetrySinkPath({ sinkId }: TelemetrySink): string {
  return `${sourcePath}/sinks/${sinkId}`;
}

const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'path', name: 'body', path: 'body', rawString: true, defaultValue: '' },
  { type: 'path', name: 'name', path: 'name', rawString: true, defaultValue: '' },
];

/** Makes the source with its sinks; answers its path over HTTP and its secret. */
export async function createTelemetry(api: Api): Promise<{ readonly path: string; readonly secret: string }> {
  const sinks = telemetrySinks.map(({ sinkId, tableId, takes }) => ({
    name: sinkId,
    sinkId,
    allowedSignals: takes,
    table: { tableId, mapping: { columns } },
  }));
  const body = { type: 'otlp', name: 'Telemetry', sourceId: 'telemetry', sinks };
  await api.task('POST', '/v1/branches/default/sources', body);
  const settings = [
    { key: 'storage.level.staging.upload.trigger.interval', value: '1s' },
    { key: 'storage.level.staging.upload.trigger.count', value: 100 },
    { key: 'storage.level.target.import.trigger.count', value: 300 },
  ];
  await api.call('PATCH', `${sourcePath}/settings`, { settings });
  const { otlp } = await api.call<{ otlp: { url: string; secret: string } }>('GET', sourcePath);
  return { path: new URL(otlp.url).pathname, secret: otlp.secret };
}
