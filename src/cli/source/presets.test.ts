import { expect, test } from 'vitest';
import { presetBody, presetHelp, presetNames } from './presets.ts';

test('a preset makes a sink for each signal, with a table of its own below the id of the source', () => {
  const body = presetBody('otlp', 'shop');
  expect(body?.type).toBe('otlp');
  expect(body?.sinks.map(({ sinkId, allowedSignals, table }) => [sinkId, allowedSignals, table.tableId])).toEqual([
    ['logs', ['logs'], 'in.c-shop.logs'],
    ['metrics', ['metrics'], 'in.c-shop.metrics'],
    ['traces', ['traces'], 'in.c-shop.traces'],
  ]);
});

function columnNames(preset: string): readonly (readonly string[])[] | undefined {
  return presetBody(preset, 'shop')?.sinks.map(({ table }) => table.mapping.columns.map(({ name }) => name));
}

test('the columns are those that the guide names, in their order', () => {
  expect(columnNames('otlp')).toEqual([
    'time observed_time severity severity_number service body event_name trace_id span_id flags attributes resource scope_name scope_version scope dropped'.split(
      ' ',
    ),
    'time start name unit kind temporality monotonic service value count sum min max buckets bounds quantiles exponential attributes exemplars flags resource scope_name scope_version'.split(
      ' ',
    ),
    'start duration_ns name kind service status status_message trace_id span_id parent_span_id trace_state attributes events links resource scope_name scope_version'.split(
      ' ',
    ),
  ]);
});

test('otlp-clickhouse has the tables and columns of the exporter for ClickHouse, in their order', () => {
  expect(presetBody('otlp-clickhouse', 'shop')?.sinks.map(({ sinkId, table }) => [sinkId, table.tableId])).toEqual([
    ['logs', 'in.c-shop.otel_logs'],
    ['metrics', 'in.c-shop.otel_metrics'],
    ['traces', 'in.c-shop.otel_traces'],
  ]);
  expect(columnNames('otlp-clickhouse')).toEqual([
    'Timestamp TraceId SpanId TraceFlags SeverityText SeverityNumber ServiceName Body ResourceSchemaUrl ResourceAttributes ScopeSchemaUrl ScopeName ScopeVersion ScopeAttributes LogAttributes EventName'.split(
      ' ',
    ),
    'ResourceAttributes ResourceSchemaUrl ScopeName ScopeVersion ScopeAttributes ScopeDroppedAttrCount ScopeSchemaUrl ServiceName MetricName MetricDescription MetricUnit Attributes StartTimeUnix TimeUnix Value Count Sum BucketCounts ExplicitBounds Scale ZeroCount PositiveOffset PositiveBucketCounts NegativeOffset NegativeBucketCounts ValueAtQuantiles Exemplars Flags Min Max AggregationTemporality IsMonotonic MetricType'.split(
      ' ',
    ),
    'Timestamp TraceId SpanId ParentSpanId TraceState SpanName SpanKind ServiceName ResourceAttributes ScopeName ScopeVersion SpanAttributes Duration StatusCode StatusMessage Events Links'.split(
      ' ',
    ),
  ]);
});

test('each preset is in the help, and another name is none', () => {
  for (const name of presetNames) expect(presetHelp).toContain(`  ${name}`);
  expect(presetBody('nope', 'shop')).toBeUndefined();
});
