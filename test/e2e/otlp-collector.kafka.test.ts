import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultBranch, parseSourceId } from '../../src/core/ids.ts';
import { sourceTopic } from '../../src/core/topic-name.ts';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { builtCollector, startCollector, whyNoCollector } from '../support/collector.ts';
import { guideBlock } from '../support/guide-block.ts';
import { expectRepeatsAndCuts, forwardUnderKills, wantedKills } from '../support/collector-under-kills.ts';
import { lastingPort } from '../support/free-port.ts';
import { rootToken } from '../support/installation.ts';
import { builtTelemetrygen, generate, whyNoTelemetrygen } from '../support/telemetrygen.ts';
import { eventually } from '../support/eventually.ts';
import { leftOut } from '../support/long-tests.ts';
import { makingMs } from '../support/made-once.ts';
import { createOtlpTables } from '../support/otlp-tables.ts';
import { Shop } from '../support/shop.ts';

const missing = (await whyNoCollector()) ?? (await whyNoTelemetrygen()) ?? (await whyNoCluster());
if (missing !== undefined) console.warn(`skipped, ${missing}`);
const withKafka = { withKafka: true };

const title = 'the OpenTelemetry Collector before a product on Kafka';
const roles = 'admin,ingest,map,stage,import';

describe.skipIf(missing !== undefined || leftOut(title))(title, () => {
  let cluster: Cluster;

  beforeAll(async () => {
    await Promise.all([builtCollector(withKafka), builtTelemetrygen()]);
    cluster = await openCluster();
  }, 2 * makingMs);

  afterAll(() => cluster[Symbol.asyncDispose]());

  it('A53, D4: writes requests into the topic with its Kafka exporter, as the guide says, and each record is a row', async () => {
    const product = await cluster.start(roles);
    const tables = await createOtlpTables(product.admin, 'telemetry');
    const receiver = `127.0.0.1:${await lastingPort()}`;
    const brokers = [cluster.brokers];
    const topic = sourceTopic({ branchId: defaultBranch, sourceId: parseSourceId('telemetry') });
    const pipeline = (signal: string) => ({ receivers: ['otlp'], exporters: [`kafka/${signal}`] });
    const rest = {
      receivers: { otlp: { protocols: { grpc: { endpoint: receiver } } } },
      exporters: {
        'kafka/logs': { brokers },
        'kafka/metrics': {
          brokers,
          metrics: { topic, encoding: 'otlp_proto' },
          signal_header: true,
        },
        'kafka/traces': { brokers, traces: { topic, encoding: 'otlp_json' } },
      },
      service: {
        telemetry: { metrics: { level: 'none' } },
        pipelines: { logs: pipeline('logs'), metrics: pipeline('metrics'), traces: pipeline('traces') },
      },
    };
    const guide = await guideBlock('kafka-producers.md', 'yaml', 'exporters:\n  kafka/logs:');
    await using _collector = await startCollector([guide, JSON.stringify(rest)], withKafka);
    const target = { url: 'http://none/none', secret: 'none', grpc: `http://${receiver}` };
    const amounts = { logs: ['--logs=150'], metrics: ['--metrics=150', '--metric-type=Sum'], traces: ['--traces=50'] };
    for (const signal of ['logs', 'metrics', 'traces'] as const) {
      const tag = '--telemetry-attributes=run="kafka"';
      await generate({ signal, transport: 'gRPC', target }, [...amounts[signal], tag]);
    }
    const counts = { logs: 150, metrics: 150, traces: 100 };
    await eventually(() => tables.expectEachOnce(counts), { everyMs: 200 });
    const [logs, points, spans] = await Promise.all([
      tables.rows('logs', 'kafka'),
      tables.rows('metrics', 'kafka'),
      tables.rows('traces', 'kafka'),
    ]);
    expect(new Set(logs.map(({ time }) => time)).size).toBe(counts.logs);
    const values = points.map(({ value }) => Number(value));
    expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: counts.metrics }, (_, value) => value));
    expect(new Set(spans.map(({ span_id: id }) => id)).size).toBe(counts.traces);
    product.kill('SIGTERM');
    await product.ended;
  });

  it(
    'D1, D2, D3: what it forwards while the product is killed is there, and the topic has as many records',
    { timeout: 900_000 },
    async () => {
      const [admin, ingestPort, otlpGrpcPort] = [await lastingPort(), await lastingPort(), await lastingPort()];
      const start = () =>
        cluster.start(roles, {
          MILLRACE_ADMIN_PORT: `${admin}`,
          MILLRACE_INGEST_PORT: `${ingestPort}`,
          MILLRACE_OTLP_GRPC_PORT: `${otlpGrpcPort}`,
        });
      let process = await start();
      const report = await forwardUnderKills(
        {
          ingestPort,
          otlpGrpcPort,
          kill: async () => {
            process.kill('SIGKILL');
            await process.ended;
          },
          start: async () => {
            process = await start();
          },
          shop: (sourceId) => new Shop({ url: process.admin, token: rootToken }, sourceId),
        },
        { kills: wantedKills, http: { encoding: 'json', compression: 'zstd' } },
      );
      expectRepeatsAndCuts(report);
      const kafka = new Kafka({ brokers: cluster.brokers.split(','), logLevel: logLevel.NOTHING }).admin();
      await kafka.connect();
      for (const { way, rows } of report.ways) {
        const topic = sourceTopic({ branchId: defaultBranch, sourceId: parseSourceId(way) });
        const records = (await kafka.fetchTopicOffsets(topic)).map(({ low, high }) => Number(high) - Number(low));
        expect(records.reduce((sum, count) => sum + count, 0)).toBe(rows);
      }
      await kafka.disconnect();
    },
  );
});
