import { SeverityNumber, SpanKind, SpanStatusCode, trace, ROOT_CONTEXT, type Attributes } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { AggregationType, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sdkExporters, transports, type SdkExporters } from '../support/otlp-sdk.ts';
import { startOtlpTables, type StartedOtlpTables } from '../support/otlp-tables.ts';
import { sdkVariables } from '../support/sdk-variables.ts';

const resource = resourceFromAttributes({ 'service.name': 'checkout', 'host.cpus': 8 });
/** Seconds and nanoseconds: a time that no double holds. */
const start: [number, number] = [1_790_000_000, 123_456_789];
const end: [number, number] = [1_790_000_001, 1];

describe('the OpenTelemetry SDK for JavaScript', () => {
  let tables: StartedOtlpTables;

  beforeAll(async () => {
    tables = await startOtlpTables();
  });

  afterAll(() => tables[Symbol.asyncDispose]());

  describe.each(transports)('over %s, compressed', (transport) => {
    let exporters: SdkExporters;
    const tag: Attributes = { run: transport };

    beforeAll(async () => {
      const variables = await sdkVariables(tables.target, transport === 'gRPC' ? 'grpc' : 'http');
      exporters = sdkExporters(transport, variables);
    });

    it('delivers spans with their events, links and status, to the nanosecond', async () => {
      const provider = new TracerProvider({
        resource,
        spanProcessors: [new SimpleSpanProcessor({ exporter: exporters.traces })],
      });
      const tracer = provider.getTracer('shop', '1.2.3');
      const parent = tracer.startSpan('POST /orders', { kind: SpanKind.SERVER, startTime: start, attributes: tag });
      const child = tracer.startSpan(
        'SELECT',
        {
          kind: SpanKind.CLIENT,
          startTime: start,
          attributes: { ...tag, 'db.rows': 12, 'db.cost': 0.5, 'db.ok': true, 'db.tables': ['a', 'b'] },
          links: [{ context: parent.spanContext(), attributes: { why: 'retry' } }],
        },
        trace.setSpan(ROOT_CONTEXT, parent),
      );
      child.addEvent('cache miss', { key: 'a "b"' }, start);
      child.setStatus({ code: SpanStatusCode.ERROR, message: 'deadlock' });
      child.end(end);
      parent.end(end);
      await provider.shutdown();

      const found = await tables.rows('traces', transport);
      expect(found).toHaveLength(2);
      const { traceId, spanId } = child.spanContext();
      const row = found.find(({ name }) => name === 'SELECT');
      expect(row).toMatchObject({
        start: '2026-09-21T14:13:20.123456789Z',
        duration_ns: '876543212',
        kind: 'Client',
        service: 'checkout',
        status: 'Error',
        status_message: 'deadlock',
        trace_id: traceId,
        span_id: spanId,
        parent_span_id: parent.spanContext().spanId,
        scope_name: 'shop',
        scope_version: '1.2.3',
      });
      expect(JSON.parse(row?.['attributes'] ?? '')).toEqual({
        run: transport,
        'db.rows': 12,
        'db.cost': 0.5,
        'db.ok': true,
        'db.tables': ['a', 'b'],
      });
      expect(JSON.parse(row?.['events'] ?? '')).toEqual([
        { timestamp: '2026-09-21T14:13:20.123456789Z', name: 'cache miss', attributes: { key: 'a "b"' } },
      ]);
      expect(JSON.parse(row?.['links'] ?? '')).toMatchObject([
        { trace_id: traceId, span_id: parent.spanContext().spanId, attributes: { why: 'retry' } },
      ]);
      expect(JSON.parse(row?.['resource'] ?? '')).toMatchObject({ 'service.name': 'checkout', 'host.cpus': 8 });
      expect(found.find(({ name }) => name === 'POST /orders')).toMatchObject({ kind: 'Server', parent_span_id: '' });
    });

    it('delivers a row for each data point of every instrument', async () => {
      const reader = new PeriodicExportingMetricReader({
        exporter: exporters.metrics,
        exportIntervalMillis: 3_600_000,
      });
      const provider = new MeterProvider({
        resource,
        readers: [reader],
        views: [{ instrumentName: 'exponential', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }],
      });
      const meter = provider.getMeter('shop');
      meter.createCounter('counter').add(2 ** 53, tag);
      meter.createUpDownCounter('updown').add(-1.5, tag);
      meter.createGauge('gauge', { unit: 'Cel' }).record(21.5, tag);
      const histogram = meter.createHistogram('histogram', { advice: { explicitBucketBoundaries: [1, 10] } });
      for (const value of [0.5, 5, 50, 500]) histogram.record(value, tag);
      const exponential = meter.createHistogram('exponential');
      for (const value of [1, 2, 4, 0]) exponential.record(value, tag);
      meter.createObservableCounter('observed counter').addCallback((result) => result.observe(7, tag));
      meter.createObservableGauge('observed gauge').addCallback((result) => result.observe(0.25, tag));
      meter.createObservableUpDownCounter('observed updown').addCallback((result) => result.observe(-3, tag));
      await provider.shutdown();

      const found = await tables.rows('metrics', transport);
      const points = Object.fromEntries(found.map((row) => [row['name'] ?? '', row]));
      expect(found).toHaveLength(8);
      const cumulative = { temporality: 'Cumulative', service: 'checkout', count: '', sum: '' };
      expect(points['counter']).toMatchObject({
        kind: 'sum',
        value: '9007199254740992',
        monotonic: 'true',
        ...cumulative,
      });
      expect(points['updown']).toMatchObject({ kind: 'sum', value: '-1.5', monotonic: 'false', ...cumulative });
      expect(points['gauge']).toMatchObject({ kind: 'gauge', value: '21.5', unit: 'Cel', temporality: '' });
      expect(points['histogram']).toMatchObject({
        kind: 'histogram',
        count: '4',
        sum: '555.5',
        min: '0.5',
        max: '500',
        buckets: '[1,1,2]',
        bounds: '[1,10]',
        value: '',
      });
      expect(points['exponential']).toMatchObject({
        kind: 'exponential_histogram',
        count: '4',
        sum: '7',
        min: '0',
        max: '4',
      });
      const buckets = JSON.parse(points['exponential']?.['exponential'] ?? '') as {
        readonly zero_count: number;
        readonly positive: { readonly bucket_counts: readonly number[] };
      };
      expect(buckets.zero_count).toBe(1);
      expect(buckets.positive.bucket_counts.reduce((sum, count) => sum + count, 0)).toBe(3);
      expect(points['observed counter']).toMatchObject({ value: '7', monotonic: 'true' });
      expect(points['observed gauge']).toMatchObject({ value: '0.25' });
      expect(points['observed updown']).toMatchObject({ value: '-3', monotonic: 'false' });
    });

    it('delivers log records with bodies of every kind', async () => {
      const provider = new LoggerProvider({
        resource,
        processors: [new SimpleLogRecordProcessor({ exporter: exporters.logs })],
      });
      const logger = provider.getLogger('shop', '1.2.3');
      const severity = { severityNumber: SeverityNumber.WARN, severityText: 'WARN', timestamp: start, attributes: tag };
      logger.emit({ ...severity, body: 'a line\nand "another" ✓' });
      logger.emit({ ...severity, body: { order: { id: 17, items: [1, 2.5, null, true] } }, eventName: 'order.placed' });
      await provider.shutdown();

      const found = await tables.rows('logs', transport);
      expect(found).toHaveLength(2);
      expect(found.find(({ event_name: name }) => name === '')).toMatchObject({
        time: '2026-09-21T14:13:20.123456789Z',
        severity: 'WARN',
        severity_number: '13',
        service: 'checkout',
        body: 'a line\nand "another" ✓',
        trace_id: '',
        scope_name: 'shop',
      });
      const placed = found.find(({ event_name: name }) => name === 'order.placed');
      expect(JSON.parse(placed?.['body'] ?? '')).toEqual({ order: { id: 17, items: [1, 2.5, null, true] } });
    });
  });

  it('D4: every record is accepted once, and filtered by the sinks of other signals', async () => {
    await tables.expectEachOnce({ logs: 6, metrics: 24, traces: 6 });
  });
});
