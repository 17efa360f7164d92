import {
  AggregationTemporality,
  SeverityNumber,
  SpanSpanKind,
  StatusStatusCode,
  type AnyValue,
  type ArrayValue,
  type EntityRef,
  type Exemplar,
  type ExponentialHistogramDataPoint,
  type ExponentialHistogramDataPointBuckets,
  type HistogramDataPoint,
  type InstrumentationScope,
  type KeyValue,
  type KeyValueList,
  type LogRecord,
  type NumberDataPoint,
  type Resource,
  type Span,
  type SpanEvent,
  type SpanLink,
  type Status,
  type SummaryDataPoint,
  type SummaryDataPointValueAtQuantile,
} from '../wire/messages.ts';
import {
  base64,
  bool,
  double,
  enumeration,
  fixed32,
  fixed64,
  int32,
  int64,
  sfixed64,
  sint32,
  spanId,
  text,
  traceId,
  uint32,
  uint64,
} from './scalars.ts';
import { Table, type Content } from './table.ts';

/** `optional` in the definitions: 0 differs from nothing. */
function optional<Name extends string>(name: Name): { content: typeof double; oneof: `has_${Name}` } {
  return { content: double, oneof: `has_${name}` };
}

/** One case of the `oneof` that all of them call `value`. */
function oneValue<Value>(content: Content<Value>): { content: Content<Value>; oneof: 'value' } {
  return { content, oneof: 'value' };
}

const attributes = { list: { message: (): Table<KeyValue> => keyValue } };
const exemplars = { list: { message: (): Table<Exemplar> => exemplar } };
const anyContent = { message: (): Table<AnyValue> => anyValue };
const temporality = enumeration('AggregationTemporality', AggregationTemporality);

export const keyValue: Table<KeyValue> = new Table<KeyValue>(
  { key: text, value: anyContent, key_strindex: int32 },
  () => ({ key: '', value: undefined, key_strindex: 0 }),
);

export const anyValue: Table<AnyValue> = new Table<AnyValue>(
  {
    string_value: oneValue(text),
    bool_value: oneValue(bool),
    int_value: oneValue(int64),
    double_value: oneValue(double),
    array_value: oneValue<ArrayValue | undefined>({ message: () => arrayValue }),
    kvlist_value: oneValue<KeyValueList | undefined>({ message: () => keyValueList }),
    bytes_value: oneValue(base64),
    string_value_strindex: oneValue(int32),
  },
  () => ({
    string_value: '',
    bool_value: false,
    int_value: 0,
    double_value: 0,
    array_value: undefined,
    kvlist_value: undefined,
    bytes_value: undefined,
    string_value_strindex: 0,
    value: undefined,
  }),
);

const arrayValue = new Table<ArrayValue>({ values: { list: anyContent } });
const keyValueList = new Table<KeyValueList>({ values: attributes });

const entityRef = new Table<EntityRef>({
  schema_url: text,
  type: text,
  id_keys: { list: text },
  description_keys: { list: text },
});

export const resource = new Table<Resource>({
  attributes,
  dropped_attributes_count: uint32,
  entity_refs: { list: { message: () => entityRef } },
});

export const instrumentationScope = new Table<InstrumentationScope>({
  name: text,
  version: text,
  attributes,
  dropped_attributes_count: uint32,
});

export const logRecord = new Table<LogRecord>({
  time_unix_nano: fixed64,
  observed_time_unix_nano: fixed64,
  severity_number: enumeration('SeverityNumber', SeverityNumber),
  severity_text: text,
  body: anyContent,
  attributes,
  dropped_attributes_count: uint32,
  flags: fixed32,
  trace_id: traceId,
  span_id: spanId,
  event_name: text,
});

const spanEvent = new Table<SpanEvent>({
  time_unix_nano: fixed64,
  name: text,
  attributes,
  dropped_attributes_count: uint32,
});

const spanLink = new Table<SpanLink>({
  trace_id: traceId,
  span_id: spanId,
  trace_state: text,
  attributes,
  dropped_attributes_count: uint32,
  flags: fixed32,
});

const status = new Table<Status>({ message: text, code: enumeration('StatusCode', StatusStatusCode) });

export const span = new Table<Span>({
  trace_id: traceId,
  span_id: spanId,
  trace_state: text,
  parent_span_id: spanId,
  flags: fixed32,
  name: text,
  kind: enumeration('SpanKind', SpanSpanKind),
  start_time_unix_nano: fixed64,
  end_time_unix_nano: fixed64,
  attributes,
  dropped_attributes_count: uint32,
  events: { list: { message: () => spanEvent } },
  dropped_events_count: uint32,
  links: { list: { message: () => spanLink } },
  dropped_links_count: uint32,
  status: { message: () => status },
});

export const numberDataPoint = new Table<NumberDataPoint>({
  attributes,
  start_time_unix_nano: fixed64,
  time_unix_nano: fixed64,
  as_double: oneValue(double),
  as_int: oneValue(sfixed64),
  exemplars,
  flags: uint32,
});

const exemplar = new Table<Exemplar>({
  filtered_attributes: attributes,
  time_unix_nano: fixed64,
  as_double: oneValue(double),
  as_int: oneValue(sfixed64),
  span_id: spanId,
  trace_id: traceId,
});

export const histogramDataPoint = new Table<HistogramDataPoint>({
  attributes,
  start_time_unix_nano: fixed64,
  time_unix_nano: fixed64,
  count: fixed64,
  sum: optional('sum'),
  bucket_counts: { list: fixed64 },
  explicit_bounds: { list: double },
  exemplars,
  flags: uint32,
  min: optional('min'),
  max: optional('max'),
});

const buckets = new Table<ExponentialHistogramDataPointBuckets>({ offset: sint32, bucket_counts: { list: uint64 } });

export const exponentialHistogramDataPoint = new Table<ExponentialHistogramDataPoint>({
  attributes,
  start_time_unix_nano: fixed64,
  time_unix_nano: fixed64,
  count: fixed64,
  sum: optional('sum'),
  scale: sint32,
  zero_count: fixed64,
  positive: { message: () => buckets },
  negative: { message: () => buckets },
  flags: uint32,
  exemplars,
  min: optional('min'),
  max: optional('max'),
  zero_threshold: double,
});

const valueAtQuantile = new Table<SummaryDataPointValueAtQuantile>({ quantile: double, value: double });

export const summaryDataPoint = new Table<SummaryDataPoint>({
  attributes,
  start_time_unix_nano: fixed64,
  time_unix_nano: fixed64,
  count: fixed64,
  sum: double,
  quantile_values: { list: { message: () => valueAtQuantile } },
  flags: uint32,
});

/** What stands beside the scopes of a resource. */
export const resourceHead = new Table<{ resource: Resource | undefined; schema_url: string }>({
  resource: { message: () => resource },
  schema_url: text,
});

/** What stands beside the records of a scope. */
export const scopeHead = new Table<{ scope: InstrumentationScope | undefined; schema_url: string }>({
  scope: { message: () => instrumentationScope },
  schema_url: text,
});

/** What stands beside the data of a metric. */
export const metricHead = new Table<{ name: string; description: string; unit: string; metadata: KeyValue[] }>({
  name: text,
  description: text,
  unit: text,
  metadata: attributes,
});

/** What stands beside the points of a metric whose type has it. */
export const histogramHead = new Table<{ aggregation_temporality: number }>({ aggregation_temporality: temporality });
export const sumHead = new Table<{ aggregation_temporality: number; is_monotonic: boolean }>({
  aggregation_temporality: temporality,
  is_monotonic: bool,
});
