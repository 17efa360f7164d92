import type { Signal } from '../../core/event.ts';
import type { SourceType } from '../../core/source.ts';
import { parseColumn } from '../sink/parse-column.ts';

interface PresetSink {
  readonly signal: Signal;
  /** Of its table, in the bucket of the source; default: that of the signal. */
  readonly table?: string;
  /** As `--column` takes them. */
  readonly columns: readonly string[];
}

/** A source with sinks whose columns fit what it receives. */
interface Preset {
  readonly type: SourceType;
  /** What it is for, for the help. */
  readonly meaning: string;
  readonly sinks: readonly PresetSink[];
}

const service = 'service:text:resource["service.name"]?=';
const scope = ['scope_name:text:scope.name', 'scope_version:text:scope.version'] as const;
const span = ['trace_id:text:trace_id?=', 'span_id:text:span_id?='] as const;

const otlp: Preset = {
  type: 'otlp',
  meaning: 'OpenTelemetry: a table each for logs, metrics (a row a data point) and traces',
  sinks: [
    {
      signal: 'logs',
      columns: [
        'time:text:time',
        'observed_time:text:observed_timestamp',
        'severity:text:severity_text',
        'severity_number:text:severity_number',
        service,
        'body:text:body',
        'event_name:text:event_name?=',
        ...span,
        'flags:text:flags',
        'attributes:text:attributes',
        'resource:text:resource',
        ...scope,
        'scope:text:scope',
        'dropped:text:dropped_attributes_count?=0',
      ],
    },
    {
      signal: 'metrics',
      columns: [
        'time:text:timestamp',
        'start:text:start_timestamp',
        'name:text:metric_name',
        'unit:text:metric_unit',
        'kind:text:metric_type',
        'temporality:text:aggregation_temporality?=',
        'monotonic:text:is_monotonic?=',
        service,
        'value:text:value?=',
        'count:text:count?=',
        'sum:text:sum?=',
        'min:text:min?=',
        'max:text:max?=',
        'buckets:text:bucket_counts?=',
        'bounds:text:explicit_bounds?=',
        'quantiles:text:quantile_values?=',
        'exponential:text:exponential?=',
        'attributes:text:attributes',
        'exemplars:text:exemplars?=',
        'flags:text:flags?=0',
        'resource:text:resource',
        ...scope,
      ],
    },
    {
      signal: 'traces',
      columns: [
        'start:text:timestamp',
        'duration_ns:text:duration_ns?=',
        'name:text:name',
        'kind:text:kind',
        service,
        'status:text:status_code',
        'status_message:text:status_message',
        ...span,
        'parent_span_id:text:parent_span_id?=',
        'trace_state:text:trace_state',
        'attributes:text:attributes',
        'events:text:events',
        'links:text:links',
        'resource:text:resource',
        ...scope,
      ],
    },
  ],
};

/** A table for each signal with the names that the exporter for ClickHouse of the Collector gives, in its order. */
const clickhouse: Preset = {
  type: 'otlp',
  meaning:
    'OpenTelemetry: tables otel_logs, otel_metrics and otel_traces with the column names of the ClickHouse exporter',
  sinks: [
    {
      signal: 'logs',
      table: 'otel_logs',
      columns: [
        'Timestamp:text:time',
        'TraceId:text:trace_id?=',
        'SpanId:text:span_id?=',
        'TraceFlags:text:flags',
        'SeverityText:text:severity_text',
        'SeverityNumber:text:severity_number',
        'ServiceName:text:resource["service.name"]?=',
        'Body:text:body',
        'ResourceSchemaUrl:text:resource_schema_url?=',
        'ResourceAttributes:text:resource',
        'ScopeSchemaUrl:text:scope.schema_url?=',
        'ScopeName:text:scope.name',
        'ScopeVersion:text:scope.version',
        'ScopeAttributes:text:scope.attributes?={}',
        'LogAttributes:text:attributes',
        'EventName:text:event_name?=',
      ],
    },
    {
      signal: 'metrics',
      table: 'otel_metrics',
      columns: [
        'ResourceAttributes:text:resource',
        'ResourceSchemaUrl:text:resource_schema_url?=',
        'ScopeName:text:scope.name',
        'ScopeVersion:text:scope.version',
        'ScopeAttributes:text:scope.attributes?={}',
        'ScopeDroppedAttrCount:text:scope.dropped_attributes_count?=0',
        'ScopeSchemaUrl:text:scope.schema_url?=',
        'ServiceName:text:resource["service.name"]?=',
        'MetricName:text:metric_name',
        'MetricDescription:text:metric_description',
        'MetricUnit:text:metric_unit',
        'Attributes:text:attributes',
        'StartTimeUnix:text:start_timestamp',
        'TimeUnix:text:timestamp',
        'Value:text:value?=',
        'Count:text:count?=',
        'Sum:text:sum?=',
        'BucketCounts:text:bucket_counts?=',
        'ExplicitBounds:text:explicit_bounds?=',
        'Scale:text:scale?=',
        'ZeroCount:text:zero_count?=',
        'PositiveOffset:text:exponential.positive.offset?=',
        'PositiveBucketCounts:text:exponential.positive.bucket_counts?=',
        'NegativeOffset:text:exponential.negative.offset?=',
        'NegativeBucketCounts:text:exponential.negative.bucket_counts?=',
        'ValueAtQuantiles:text:quantile_values?=',
        'Exemplars:text:exemplars?=',
        'Flags:text:flags?=0',
        'Min:text:min?=',
        'Max:text:max?=',
        'AggregationTemporality:text:aggregation_temporality?=',
        'IsMonotonic:text:is_monotonic?=',
        'MetricType:text:metric_type',
      ],
    },
    {
      signal: 'traces',
      table: 'otel_traces',
      columns: [
        'Timestamp:text:timestamp',
        'TraceId:text:trace_id',
        'SpanId:text:span_id',
        'ParentSpanId:text:parent_span_id?=',
        'TraceState:text:trace_state',
        'SpanName:text:name',
        'SpanKind:text:kind',
        'ServiceName:text:resource["service.name"]?=',
        'ResourceAttributes:text:resource',
        'ScopeName:text:scope.name',
        'ScopeVersion:text:scope.version',
        'SpanAttributes:text:attributes',
        'Duration:text:duration_ns?=',
        'StatusCode:text:status_code',
        'StatusMessage:text:status_message',
        'Events:text:events',
        'Links:text:links',
      ],
    },
  ],
};

const presets: Readonly<Record<string, Preset>> = { otlp, 'otlp-clickhouse': clickhouse };

/** Names of presets, for `--preset`. */
export const presetNames: readonly string[] = Object.keys(presets);

/** A line each for the help. */
export const presetHelp = `Presets:\n${Object.entries(presets)
  .map(([name, { meaning }]) => `  ${name.padEnd(15)} ${meaning}`)
  .join('\n')}`;

/** What the body of "create source" has of a preset; the tables are in the bucket `in.c-ID`. */
export function presetBody(name: string, sourceId: string) {
  const preset = presets[name];
  if (preset === undefined) return undefined;
  const sinks = preset.sinks.map(({ signal, table = signal, columns }) => ({
    name: signal,
    sinkId: signal,
    allowedSignals: [signal],
    table: {
      tableId: `in.c-${sourceId}.${table}`,
      mapping: { columns: columns.map(parseColumn) },
    },
  }));
  return { type: preset.type, sinks };
}
