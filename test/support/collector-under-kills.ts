import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startCollector } from './collector.ts';
import { guideBlock } from './guide-block.ts';
import { eventually } from './eventually.ts';
import { lastingPort } from './free-port.ts';
import { startNumberedTelemetry } from './numbered-telemetry.ts';
import { startGrpcWitness, startHttpWitness, type OtlpWitness, type WitnessedRequest } from './otlp-witness.ts';
import type { Shop } from './shop.ts';
import { isTaken, judge } from './whole-requests.ts';

/** A product that comes back under the same ports. */
export interface KillableProduct {
  readonly ingestPort: number;
  readonly otlpGrpcPort: number;
  kill(): Promise<void>;
  start(): Promise<void>;
  shop(sourceId: string): Shop;
}

/** What happened, in numbers: over HTTP and gRPC. */
export interface KillsReport {
  readonly kills: number;
  /** Records that the Collector took. */
  readonly records: number;
  readonly ways: readonly WayReport[];
}

interface WayReport {
  readonly way: string;
  readonly requests: number;
  /** Requests that came to the product and whose answer did not come to the Collector, or said that the log had not answered. */
  readonly cutOff: number;
  /** Requests that are there again since the answer to the first try did not arrive. */
  readonly repeated: number;
  readonly rows: number;
}

/** Few, since each costs a start; `MILLRACE_TEST_KILLS=20` does more, and shows what happened. */
export const wantedKills = Number(process.env['MILLRACE_TEST_KILLS'] ?? 4);

const signals = ['logs', 'traces'] as const;
const way = (sourceId: string, witness: OtlpWitness) => ({ sourceId, witness });

/** What the test is about has happened; without it the comparison says nothing. */
export function expectRepeatsAndCuts(report: KillsReport): void {
  if (process.env['MILLRACE_TEST_KILLS'] !== undefined) console.log(report);
  for (const { repeated, cutOff } of report.ways) {
    expect(repeated).toBeGreaterThan(0);
    expect(cutOff).toBeGreaterThanOrEqual(repeated);
  }
}

/** A source with a sink for logs and one for traces, and the address that the guide tells to senders. */
async function createSource(shop: Shop, sourceId: string): Promise<{ readonly url: string; readonly secret: string }> {
  const sinks = signals.map((signal) => {
    const columns = [{ type: 'path', name: 'n', path: signal === 'logs' ? 'body' : 'name', rawString: true }];
    const table = { tableId: `in.c-${sourceId}.${signal}`, mapping: { columns } };
    return { name: signal, sinkId: signal, allowedSignals: [signal], table };
  });
  await shop.api.task('POST', '/v1/branches/default/sources', { type: 'otlp', name: sourceId, sourceId, sinks });
  await shop.set(shop.path, { uploadCount: 500, uploadInterval: '1s', importCount: 1 });
  const { otlp } = await shop.api.call<{ otlp: { baseUrl: string; secret: string } }>('GET', shop.path);
  return { url: otlp.baseUrl, secret: otlp.secret };
}

/**
 * Lets the JavaScript SDK send numbered logs and spans to a Collector, which forwards each over HTTP to one source and over gRPC to
 * another, while the product is killed and answers get lost; then compares the tables of both sources with what the requests had.
 * `http` adds to the settings of the Collector's exporter over HTTP.
 */
export async function forwardUnderKills(
  product: KillableProduct,
  { kills, http: httpSettings = {} }: { readonly kills: number; readonly http?: Readonly<Record<string, string>> },
): Promise<KillsReport> {
  await using http = await startHttpWitness(product.ingestPort);
  await using grpc = await startGrpcWitness(product.otlpGrpcPort);
  const overHttp = await createSource(product.shop('http'), 'http');
  const overGrpc = await createSource(product.shop('grpc'), 'grpc');
  const receiver = `127.0.0.1:${await lastingPort()}`;
  const retry_on_failure = { initial_interval: '100ms', max_interval: '500ms' };
  const forTest = {
    receivers: { otlp: { protocols: { http: { endpoint: receiver } } } },
    processors: { batch: { timeout: '20ms', send_batch_size: 50, send_batch_max_size: 50 } },
    exporters: {
      otlp_http: { retry_on_failure, ...httpSettings },
      otlp_grpc: {
        endpoint: `127.0.0.1:${grpc.port}`,
        headers: { authorization: `Bearer ${overGrpc.secret}` },
        retry_on_failure,
      },
    },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { logs: { exporters: ['otlp_http', 'otlp_grpc'] }, traces: { exporters: ['otlp_http', 'otlp_grpc'] } },
    },
  };
  await using collector = await startCollector(
    [await guideBlock('opentelemetry.md', 'yaml', 'receivers:'), JSON.stringify(forTest)],
    {
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${http.port}${new URL(overHttp.url).pathname}`,
        MILLRACE_SOURCE_SECRET: overHttp.secret,
      },
    },
  );
  const telemetry = startNumberedTelemetry(`http://${receiver}`);
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(300 + Math.random() * 700);
    for (const witness of [http, grpc]) witness.loseAnswer();
    await (kill % 2 === 0 ? http : grpc).nextRequest();
    await sleep(Math.random() * 5);
    await product.kill();
    await product.start();
  }
  await sleep(500);
  const accepted = await telemetry.stop();
  const ways = [way('http', http), way('grpc', grpc)];
  await eventually(() => {
    for (const { sourceId, witness } of ways) {
      const told = new Set(witness.requests.filter(isTaken).flatMap(({ numbers }) => numbers));
      const missing = accepted.filter((number) => !told.has(number));
      expect(missing.length, `${sourceId}: ${collector.said()}`).toBe(0);
    }
  });
  const reports: WayReport[] = [];
  for (const { sourceId, witness } of ways)
    reports.push({ way: sourceId, ...(await compare(product.shop(sourceId), sourceId, witness.requests)) });
  return { kills, records: accepted.length, ways: reports };
}

/** D2, D3: what the tables have is what the requests say, whole requests each. */
async function compare(
  shop: Shop,
  sourceId: string,
  requests: readonly WitnessedRequest[],
): Promise<Omit<WayReport, 'way'>> {
  const stored = new Map<number, number>();
  let rows = 0;
  for (const signal of signals) {
    // A process that was killed a moment ago may still be the one that changes things.
    await eventually(() => shop.flush(signal));
    for await (const row of shop.api.eachRow(`in.c-${sourceId}.${signal}`)) {
      const number = Number(/^record (\d+);$/.exec(row['n'] ?? '')?.[1]);
      stored.set(number, (stored.get(number) ?? 0) + 1);
      rows += 1;
    }
  }
  const { wrong, repeated, unknown } = judge(requests, stored);
  expect(wrong, `${sourceId}: batches that are lost, torn, or there again without reason`).toEqual([]);
  expect(unknown, `${sourceId}: rows that nobody sent`).toEqual([]);
  for (const signal of signals) {
    const { totals, alarm } = await shop.progress(signal);
    expect(alarm).toBeUndefined();
    expect(totals, 'D4: the records of the source are the rows of both tables').toMatchObject({
      accepted: rows,
      filtered: rows - totals.imported,
      dead: 0,
      difference: 0,
    });
  }
  const cutOff = requests.filter(
    ({ outcome, isTold }) => outcome === 'unclear' || (outcome !== 'unreached' && !isTold),
  ).length;
  return { requests: requests.length, cutOff, repeated, rows };
}
