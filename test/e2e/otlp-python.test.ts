import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makingMs } from '../support/made-once.ts';
import { startOtlpTables, type StartedOtlpTables, type Row } from '../support/otlp-tables.ts';
import { sendWithPython, whyNoPythonSdk, type SentSpans } from '../support/python-sdk.ts';
import { sdkVariables } from '../support/sdk-variables.ts';

const missing = await whyNoPythonSdk();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const start = '2026-09-21T14:13:20.123456789Z';

describe.skipIf(missing !== undefined)('the OpenTelemetry SDK for Python', () => {
  let tables: StartedOtlpTables;

  beforeAll(async () => {
    tables = await startOtlpTables();
  }, makingMs);

  afterAll(() => tables[Symbol.asyncDispose]());

  describe.each(['http/protobuf', 'grpc'])('over %s, compressed', (protocol) => {
    let sent: SentSpans;

    beforeAll(async () => {
      sent = await sendWithPython(protocol, {
        ...(await sdkVariables(tables.target, protocol === 'grpc' ? 'grpc' : 'http')),
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=checkout,host.name=h1',
      });
    }, makingMs);

    it('delivers spans with their events, links and status, to the nanosecond', async () => {
      const found = await tables.rows('traces', protocol);
      expect(found).toHaveLength(2);
      const { parent, child } = sent;
      const row = found.find(({ name }) => name === 'SELECT');
      expect(row).toMatchObject({
        start,
        duration_ns: '876543212',
        kind: 'Client',
        service: 'checkout',
        status: 'Error',
        status_message: 'deadlock',
        trace_id: child.trace,
        span_id: child.span,
        parent_span_id: parent.span,
        scope_name: 'shop',
        scope_version: '1.2.3',
        attributes: `{"run":"${protocol}","db.rows":9223372036854775807,"db.cost":0.5,"db.ok":true,"db.tables":["a","b"]}`,
        events: `[{"timestamp":"${start}","name":"cache miss","attributes":{"key":"a \\"b\\""}}]`,
      });
      expect(JSON.parse(row?.['links'] ?? '')).toMatchObject([
        { trace_id: parent.trace, span_id: parent.span, attributes: { why: 'retry' } },
      ]);
      expect(JSON.parse(row?.['resource'] ?? '')).toMatchObject({
        'service.name': 'checkout',
        'host.name': 'h1',
        'telemetry.sdk.language': 'python',
      });
      expect(found.find(({ name }) => name === 'POST /orders')).toMatchObject({
        kind: 'Server',
        status: 'Unset',
        span_id: parent.span,
        parent_span_id: '',
      });
    });

    it('delivers a row for each data point of every instrument', async () => {
      const found = await tables.rows('metrics', protocol);
      const points: Readonly<Record<string, Row>> = Object.fromEntries(found.map((row) => [row['name'] ?? '', row]));
      expect(found).toHaveLength(8);
      const sum = { kind: 'sum', temporality: 'Cumulative', service: 'checkout', count: '' };
      expect(points).toMatchObject({
        counter: { ...sum, value: '9007199254740993', monotonic: 'true', unit: '{orders}' },
        updown: { ...sum, value: '-1.5', monotonic: 'false' },
        gauge: { kind: 'gauge', value: '21.5', temporality: '', unit: 'Cel', start: '' },
        histogram: {
          kind: 'histogram',
          temporality: 'Cumulative',
          count: '4',
          sum: '555.5',
          min: '0.5',
          max: '500',
          buckets: '[1,1,2]',
          bounds: '[1,10]',
          value: '',
        },
        exponential: { kind: 'exponential_histogram', count: '4', sum: '7', min: '0', max: '4', buckets: '' },
        observed_counter: { ...sum, value: '7', monotonic: 'true', exemplars: '' },
        observed_gauge: { kind: 'gauge', value: '0.25' },
        observed_updown: { ...sum, value: '-3', monotonic: 'false' },
      });
      const {
        scale,
        zero_count: zeros,
        positive,
      } = JSON.parse(points['exponential']?.['exponential'] ?? '') as {
        readonly scale: number;
        readonly zero_count: number;
        readonly positive: { readonly offset: number; readonly bucket_counts: readonly number[] };
      };
      expect(zeros).toBe(1);
      // A bucket ends at a power of two that its place and the scale say: the values 1, 2 and 4 are such ends.
      const ends = positive.bucket_counts.flatMap((count, place) =>
        count === 0 ? [] : [2 ** ((positive.offset + place + 1) / 2 ** scale)],
      );
      expect(ends).toEqual([1, 2, 4]);
    });

    it('delivers exemplars of the span in which they were measured', async () => {
      const found = await tables.rows('metrics', protocol);
      const exemplars = (name: string) =>
        JSON.parse(found.find((row) => row['name'] === name)?.['exemplars'] ?? '') as readonly unknown[];
      const span = { trace_id: sent.parent.trace, span_id: sent.parent.span };
      expect(exemplars('counter')).toMatchObject([{ ...span, filtered_attributes: { customer: 'c-17' } }]);
      expect(found.find(({ name }) => name === 'counter')?.['attributes']).toBe(JSON.stringify({ run: protocol }));
      expect(exemplars('histogram')).toMatchObject([0.5, 5, 500].map((value) => ({ ...span, value })));
      expect(exemplars('exponential').length).toBeGreaterThan(0);
    });

    it('delivers log records with bodies of every kind', async () => {
      const found = await tables.rows('logs', protocol);
      expect(found).toHaveLength(2);
      const record = {
        time: start,
        observed_time: '2026-09-21T14:13:21.000000001Z',
        severity: 'WARN',
        severity_number: '13',
        service: 'checkout',
        scope_name: 'shop',
      };
      expect(found.find(({ event_name: name }) => name === '')).toMatchObject({
        ...record,
        body: 'a line\nand "another" ✓',
        trace_id: sent.parent.trace,
        span_id: sent.parent.span,
      });
      expect(found.find(({ event_name: name }) => name === 'order.placed')).toMatchObject({
        ...record,
        body: '{"order":{"id":9007199254740993,"items":[1,2.5,null,true],"raw":"AP8="}}',
        attributes: `{"run":"${protocol}","ratio":"NaN","least":"-Infinity"}`,
        trace_id: '',
      });
    });
  });

  it('D4: every record is accepted once, and filtered by the sinks of other signals', async () => {
    await tables.expectEachOnce({ logs: 4, metrics: 16, traces: 4 });
  });
});
