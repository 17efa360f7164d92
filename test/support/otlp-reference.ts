import type { Signal } from '../../src/core/event.ts';
import { requestOf, type Plain } from './otlp-messages.ts';

/** What a text is made of: a Map is an object, undefined a field that is left out, a bigint a number in all its digits. */
type Value = string | number | bigint | boolean | null | undefined | readonly Value[] | Map<string, Value>;
type Fields = readonly (readonly [string, Value])[];
type Key = Plain & { readonly key: string; readonly value?: Plain };

/** The records of a request as they are to be, made slowly of its plain objects. */
export function referenceTexts(signal: Signal, bytes: Uint8Array): readonly string[] {
  const request = requestOf(signal, bytes);
  const texts: string[] = [];
  const names = { logs: 'logs', metrics: 'metrics', traces: 'spans' };
  for (const ofResource of list(request[`resource_${names[signal]}`]))
    for (const ofScope of list(ofResource[`scope_${names[signal]}`])) {
      const place = placeOf(ofResource, ofScope);
      if (signal === 'logs') for (const log of list(ofScope['log_records'])) texts.push(json(logOf(log, place)));
      if (signal === 'traces') for (const span of list(ofScope['spans'])) texts.push(json(spanOf(span, place)));
      if (signal === 'metrics') for (const metric of list(ofScope['metrics'])) texts.push(...pointsOf(metric, place));
    }
  return texts;
}

interface Place {
  readonly fields: Fields;
  readonly extras: Fields;
}

function placeOf(ofResource: Plain, ofScope: Plain): Place {
  const resource = (ofResource['resource'] ?? {}) as Plain;
  const scope = (ofScope['scope'] ?? {}) as Plain;
  const kept = list(scope['attributes']);
  const entities = list(resource['entity_refs']);
  const parts: Fields = [
    ['name', (scope['name'] ?? '') as string],
    ['version', (scope['version'] ?? '') as string],
    ['attributes', kept.length === 0 ? undefined : attributes(kept)],
    ['dropped_attributes_count', count(scope['dropped_attributes_count'])],
    ['schema_url', text(ofScope['schema_url'])],
  ];
  return {
    fields: [
      ['resource', attributes(list(resource['attributes']))],
      ['scope', new Map(parts)],
    ],
    extras: [
      ['resource_dropped_attributes_count', count(resource['dropped_attributes_count'])],
      ['resource_schema_url', text(ofResource['schema_url'])],
      ['resource_entity_refs', entities.length === 0 ? undefined : entities.map(entityOf)],
    ],
  };
}

function entityOf(entity: Plain): Value {
  return new Map<string, Value>([
    ['type', entity['type'] as string],
    ['id_keys', entity['id_keys'] as readonly string[]],
    ['description_keys', entity['description_keys'] as readonly string[]],
    ['schema_url', text(entity['schema_url'])],
  ]);
}

function logOf(log: Plain, place: Place): Fields {
  const [timestamp, observed] = [time(log['time_unix_nano']), time(log['observed_time_unix_nano'])];
  return [
    ['timestamp', timestamp],
    ['observed_timestamp', observed],
    ['severity_number', log['severity_number'] as number],
    ['severity_text', log['severity_text'] as string],
    ['body', anyValue(log['body'])],
    ['flags', log['flags'] as number],
    ['trace_id', text(hex(log['trace_id']))],
    ['span_id', text(hex(log['span_id']))],
    ['attributes', attributes(list(log['attributes']))],
    ...place.fields,
    ['time', timestamp === '' ? observed : timestamp],
    ['timestamp_unix_nano', digits(log['time_unix_nano'])],
    ['observed_timestamp_unix_nano', digits(log['observed_time_unix_nano'])],
    ['event_name', text(log['event_name'])],
    ['dropped_attributes_count', count(log['dropped_attributes_count'])],
    ...place.extras,
  ];
}

function spanOf(span: Plain, place: Place): Fields {
  const status = (span['status'] ?? { code: 0, message: '' }) as { code: number; message: string };
  const [start, end] = [span['start_time_unix_nano'] as string, span['end_time_unix_nano'] as string];
  return [
    ['timestamp', time(start)],
    ['end_timestamp', time(end)],
    ['trace_id', hex(span['trace_id'])],
    ['span_id', hex(span['span_id'])],
    ['parent_span_id', text(hex(span['parent_span_id']))],
    ['trace_state', span['trace_state'] as string],
    ['name', span['name'] as string],
    ['kind', named(['Unspecified', 'Internal', 'Server', 'Client', 'Producer', 'Consumer'], span['kind'])],
    ['flags', span['flags'] as number],
    ['status_code', named(['Unset', 'Ok', 'Error'], status.code)],
    ['status_message', status.message],
    ['attributes', attributes(list(span['attributes']))],
    ['events', list(span['events']).map(eventOf)],
    ['links', list(span['links']).map(linkOf)],
    ...place.fields,
    ['timestamp_unix_nano', digits(start)],
    ['end_timestamp_unix_nano', digits(end)],
    ['duration_ns', start === '0' || end === '0' ? undefined : BigInt(end) - BigInt(start)],
    ['dropped_attributes_count', count(span['dropped_attributes_count'])],
    ['dropped_events_count', count(span['dropped_events_count'])],
    ['dropped_links_count', count(span['dropped_links_count'])],
    ...place.extras,
  ];
}

function eventOf(event: Plain): Value {
  return new Map<string, Value>([
    ['timestamp', time(event['time_unix_nano'])],
    ['name', event['name'] as string],
    ['attributes', attributes(list(event['attributes']))],
    ['dropped_attributes_count', count(event['dropped_attributes_count'])],
  ]);
}

function linkOf(link: Plain): Value {
  return new Map<string, Value>([
    ['trace_id', hex(link['trace_id'])],
    ['span_id', hex(link['span_id'])],
    ['trace_state', link['trace_state'] as string],
    ['attributes', attributes(list(link['attributes']))],
    ['flags', link['flags'] as number],
    ['dropped_attributes_count', count(link['dropped_attributes_count'])],
  ]);
}

function pointsOf(metric: Plain, place: Place): readonly string[] {
  const type = metric['data'] as string | undefined;
  if (type === undefined) return [];
  const data = metric[type] as Plain;
  const metadata = list(metric['metadata']);
  return list(data['data_points']).map((point) =>
    json([
      ['metric_name', metric['name'] as string],
      ['metric_description', metric['description'] as string],
      ['metric_unit', metric['unit'] as string],
      ['metric_type', type],
      ...place.fields,
      ['start_timestamp', time(point['start_time_unix_nano'])],
      ['timestamp', time(point['time_unix_nano'])],
      ['attributes', attributes(list(point['attributes']))],
      ...ofType(type, point, data),
      ['start_timestamp_unix_nano', digits(point['start_time_unix_nano'])],
      ['timestamp_unix_nano', digits(point['time_unix_nano'])],
      ['flags', count(point['flags'])],
      ['exemplars', list(point['exemplars']).length === 0 ? undefined : list(point['exemplars']).map(exemplarOf)],
      ['exponential', type === 'exponential_histogram' ? exponentialOf(point) : undefined],
      ['metric_metadata', metadata.length === 0 ? undefined : attributes(metadata)],
      ...place.extras,
    ]),
  );
}

function ofType(type: string, point: Plain, data: Plain): Fields {
  const temporality = [
    'aggregation_temporality',
    named(['Unspecified', 'Delta', 'Cumulative'], data['aggregation_temporality']),
  ] as const;
  if (type === 'gauge') return [['value', number(point)]];
  if (type === 'sum') return [['value', number(point)], ['is_monotonic', data['is_monotonic'] as boolean], temporality];
  const total: Fields = [['count', counter(point['count'])]];
  if (type === 'summary') {
    const quantiles = list(point['quantile_values']).map(
      ({ quantile, value }) =>
        new Map<string, Value>([
          ['quantile', quantile as number],
          ['value', value as number],
        ]),
    );
    return [...total, ['sum', point['sum'] as number], ['quantile_values', quantiles]];
  }
  const measures: Fields = ['sum', 'min', 'max'].map(
    (name) => [name, point[`_${name}`] === undefined ? undefined : (point[name] as number)] as const,
  );
  if (type === 'histogram')
    return [
      ...total,
      ...measures,
      ['bucket_counts', (point['bucket_counts'] as readonly string[]).map(counter)],
      ['explicit_bounds', point['explicit_bounds'] as readonly number[]],
      temporality,
    ];
  return [
    ...total,
    ...measures,
    ['scale', point['scale'] as number],
    ['zero_count', counter(point['zero_count'])],
    temporality,
  ];
}

function exemplarOf(exemplar: Plain): Value {
  return new Map<string, Value>([
    ['timestamp', time(exemplar['time_unix_nano'])],
    ['value', number(exemplar)],
    ['trace_id', text(hex(exemplar['trace_id']))],
    ['span_id', text(hex(exemplar['span_id']))],
    ['filtered_attributes', attributes(list(exemplar['filtered_attributes']))],
  ]);
}

function exponentialOf(point: Plain): Value {
  return new Map<string, Value>([
    ['scale', point['scale'] as number],
    ['zero_count', counter(point['zero_count'])],
    ['zero_threshold', point['zero_threshold'] as number],
    ['positive', side(point['positive'])],
    ['negative', side(point['negative'])],
  ]);
}

function side(buckets: unknown): Value {
  const { offset = 0, bucket_counts: counts = [] } = (buckets ?? {}) as { offset?: number; bucket_counts?: string[] };
  return new Map<string, Value>([
    ['offset', offset],
    ['bucket_counts', counts.map(counter)],
  ]);
}

function number(point: Plain): Value {
  if (point['value'] === undefined) return null;
  return point['value'] === 'as_int' ? BigInt(point['as_int'] as string) : (point['as_double'] as number);
}

function anyValue(value: unknown): Value {
  const plain = (value ?? {}) as Plain;
  switch (plain['value']) {
    case 'string_value':
    case 'bool_value':
    case 'double_value':
      return plain[plain['value']] as string | boolean | number;
    case 'int_value':
      return BigInt(plain['int_value'] as string);
    case 'bytes_value':
      return Buffer.from(plain['bytes_value'] as Uint8Array).toString('base64');
    case 'array_value':
      return list((plain['array_value'] as Plain)['values']).map(anyValue);
    case 'kvlist_value':
      return attributes(list((plain['kvlist_value'] as Plain)['values']));
    default:
      return null;
  }
}

function attributes(pairs: readonly Plain[]): Value {
  return new Map((pairs as readonly Key[]).map(({ key, value }) => [key, anyValue(value)]));
}

function list(value: unknown): readonly Plain[] {
  return (value ?? []) as readonly Plain[];
}

function time(nanos: unknown): string {
  const wide = BigInt(nanos as string);
  if (wide === 0n) return '';
  const seconds = new Date(Number(wide / 1_000_000_000n) * 1000).toISOString().replace('.000Z', '');
  const fraction = String(wide % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}Z`;
}

function digits(nanos: unknown): Value {
  return nanos === '0' ? undefined : (nanos as string);
}

function hex(id: unknown): string {
  const all = Buffer.from(id as Uint8Array).toString('hex');
  return /^0*$/.test(all) ? '' : all;
}

function counter(value: unknown): bigint {
  const wide = BigInt(value as string);
  return wide >= 2n ** 63n ? 2n ** 63n - 1n : wide;
}

function count(value: unknown): Value {
  return value === undefined || value === 0 ? undefined : (value as number);
}

function text(value: unknown): Value {
  return value === undefined || value === '' ? undefined : (value as string);
}

function named(names: readonly string[], value: unknown): string {
  return names[value as number] ?? String(value);
}

function json(fields: Fields): string {
  return textOf(new Map(fields));
}

function textOf(value: Value): string {
  if (value instanceof Map) {
    const kept = [...value].filter(([, each]) => each !== undefined);
    return `{${kept.map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(textOf).join(',')}]`;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return JSON.stringify(String(value));
  return JSON.stringify(value);
}
