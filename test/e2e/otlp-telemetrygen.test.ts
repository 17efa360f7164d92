import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makingMs } from '../support/made-once.ts';
import { startOtlpTables, type StartedOtlpTables, type Row } from '../support/otlp-tables.ts';
import { builtTelemetrygen, generate, generatorTransports, whyNoTelemetrygen } from '../support/telemetrygen.ts';

const types = ['Gauge', 'Sum', 'Histogram', 'ExponentialHistogram'] as const;
const temporalities = ['delta', 'cumulative'] as const;
const traceId = '0102030405060708090a0b0c0d0e0f10';
const spanId = '0102030405060708';
const context = [`--trace-id=${traceId}`, `--span-id=${spanId}`];
const points = 3;

/** What telemetrygen puts into its first histograms, and their sums. */
const histograms = [
  { buckets: [0, 0, 1, 0, 0, 0, 3, 4, 1, 1, 0, 0, 0, 0, 0, 0], sum: 3940 },
  { buckets: [0, 0, 0, 0, 0, 0, 2, 4, 4, 0, 0, 0, 0, 0, 0, 0], sum: 4455 },
  { buckets: [0, 0, 0, 0, 0, 0, 1, 4, 3, 2, 0, 0, 0, 0, 0, 0], sum: 5337 },
] as const;
const bounds = [0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000];

/** What the number of a data point says that it has. */
const valuesOf: Readonly<Record<(typeof types)[number], (point: number, row: Row) => Row>> = {
  Gauge: (point) => ({ kind: 'gauge', value: `${point}`, temporality: '', start: '' }),
  Sum: (point) => ({ kind: 'sum', value: `${point}`, monotonic: 'true' }),
  Histogram: (point) => ({
    kind: 'histogram',
    value: '',
    count: '10',
    sum: `${histograms[point]?.sum}`,
    buckets: JSON.stringify(histograms[point]?.buckets),
    bounds: JSON.stringify(bounds),
  }),
  // Its numbers are made at random below 1000: they must agree with each other.
  ExponentialHistogram: (_point, { exponential = '', sum }) => {
    const { scale, zero_count: zeros, positive } = JSON.parse(exponential) as Exponential;
    const counted = positive.bucket_counts.reduce((all, count) => all + count, 0);
    const highest = 2 ** ((positive.offset + positive.bucket_counts.length - 1) / 2 ** scale);
    expect(highest).toBeLessThan(1000);
    expect(positive.bucket_counts.length).toBeLessThanOrEqual(8);
    expect(Number(sum)).toBeLessThan(counted * 1000);
    return { kind: 'exponential_histogram', value: '', buckets: '', count: `${zeros + counted}` };
  },
};

interface Exponential {
  readonly scale: number;
  readonly zero_count: number;
  readonly positive: { readonly offset: number; readonly bucket_counts: readonly number[] };
}

/** Of a time with up to nine digits behind its second. */
function nanoseconds(time = ''): bigint {
  const [second = '', rest = ''] = time.replace('Z', '').split('.');
  return BigInt(Date.parse(`${second}Z`)) * 1_000_000n + BigInt(rest.padEnd(9, '0'));
}

function aSecondBefore(time = ''): string {
  const [second = '', rest = ''] = time.split('.');
  return `${new Date(Date.parse(`${second}Z`) - 1000).toISOString().slice(0, 19)}.${rest}`;
}

const why = await whyNoTelemetrygen();
describe.skipIf(why !== undefined)('telemetrygen', () => {
  let tables: StartedOtlpTables;

  beforeAll(async () => {
    await builtTelemetrygen();
    tables = await startOtlpTables();
  }, makingMs);

  afterAll(() => tables[Symbol.asyncDispose]());

  describe.each(generatorTransports)('over %s, compressed', (transport) => {
    const tag = `--telemetry-attributes=run="${transport}"`;

    it('delivers data points of every type and both temporalities, with their exemplars', async () => {
      const sent = types.flatMap((type) => temporalities.map((temporality) => ({ type, temporality })));
      for (const { type, temporality } of sent)
        await generate({ signal: 'metrics', transport, target: tables.target }, [
          `--metric-type=${type}`,
          `--aggregation-temporality=${temporality}`,
          `--otlp-metric-name=${type} ${temporality}`,
          `--metrics=${points}`,
          tag,
          '--telemetry-attributes=n=5',
          '--otlp-attributes=cpus=8',
          '--service=shop',
          ...context,
        ]);
      const found = await tables.rows('metrics', transport);
      expect(found).toHaveLength(sent.length * points);
      for (const { type, temporality } of sent) {
        const rows = found
          .filter(({ name }) => name === `${type} ${temporality}`)
          .toSorted((a, b) => Number(nanoseconds(a['time']) - nanoseconds(b['time'])));
        for (const [point, row] of rows.entries()) {
          const isDelta = temporality === 'delta';
          expect(row).toMatchObject({
            service: 'shop',
            unit: '',
            temporality: isDelta ? 'Delta' : 'Cumulative',
            start: isDelta ? aSecondBefore(row['time']) : rows[0]?.['start'],
            attributes: JSON.stringify({ n: 5, run: transport }),
            resource: JSON.stringify({ cpus: 8, 'service.name': 'shop' }),
            ...valuesOf[type](point, row),
          });
          expect(JSON.parse(row['exemplars'] ?? '')).toMatchObject([{ value: 1, trace_id: traceId, span_id: spanId }]);
        }
      }
    });

    it('delivers traces with children and links', async () => {
      const wanted = ['--traces=3', '--child-spans=2', '--span-links=2', '--status-code=Error'];
      await generate({ signal: 'traces', transport, target: tables.target }, [...wanted, '--span-duration=123us', tag]);
      const found = await tables.rows('traces', transport);
      expect(found).toHaveLength(9);
      const ids = new Set(found.map(({ trace_id: trace, span_id: span }) => `${trace} ${span}`));
      expect(ids.size).toBe(9);
      expect(found.filter(({ links }) => links === '[]')).toHaveLength(1);
      for (const row of found) {
        const isParent = row['name'] === 'lets-go';
        const parent = found.find(({ trace_id: id, name }) => id === row['trace_id'] && name === 'lets-go');
        const childName = `okey-dokey-${row['start'] === parent?.['start'] ? 0 : 1}`;
        expect(row).toMatchObject({
          name: isParent ? 'lets-go' : childName,
          kind: isParent ? 'Client' : 'Server',
          status: 'Error',
          duration_ns: isParent ? '246000' : '123000',
          parent_span_id: isParent ? '' : parent?.['span_id'],
          scope_name: 'telemetrygen',
        });
        const links = JSON.parse(row['links'] ?? '') as readonly Readonly<Record<string, unknown>>[];
        for (const [index, link] of links.entries()) {
          expect(link['attributes']).toEqual({ 'link.type': 'random', 'link.index': index });
          expect(ids).toContain(`${String(link['trace_id'])} ${String(link['span_id'])}`);
        }
      }
    });

    it('delivers log records', async () => {
      const record = ['--body=a line ✓', '--severity-text=WARN', '--severity-number=13', ...context];
      await generate({ signal: 'logs', transport, target: tables.target }, ['--logs=3', ...record, tag]);
      const found = await tables.rows('logs', transport);
      expect(found).toHaveLength(3);
      expect(new Set(found.map(({ time }) => time)).size).toBe(3);
      for (const row of found)
        expect(row).toMatchObject({
          severity: 'WARN',
          severity_number: '13',
          body: 'a line ✓',
          trace_id: traceId,
          span_id: spanId,
          attributes: JSON.stringify({ app: 'server', run: transport }),
          dropped: '1',
        });
    });
  });

  it('D4: every record is accepted once, and filtered by the sinks of other signals', async () => {
    await tables.expectEachOnce({ logs: 6, metrics: 48, traces: 18 });
  });
});
