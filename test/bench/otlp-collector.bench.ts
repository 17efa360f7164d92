import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { presetBody } from '../../src/cli/source/presets.ts';
import { startCollector, whyNoCollector } from '../support/collector.ts';
import { lastingPort } from '../support/free-port.ts';
import { requestBytes } from '../support/otlp-messages.ts';
import { rawPost, runHttpLoad } from './load/http-load.ts';
import { logsPayload } from './otlp-payloads.ts';
import { readProcessorTime, timeBetween, totalOf } from './processor-time.ts';
import { startProduct } from './sides/product.ts';
import { median } from './statistics.ts';
import type { Bench } from './bench.ts';
import type { Figure } from './figure.ts';
import { rate } from './rate.ts';

export interface CollectorBenchOptions {
  readonly rounds: number;
  readonly durationMs: number;
  readonly connections: number;
}

/** What one side did, from the first request until the last record has left it. */
export interface CollectorBenchSide {
  readonly perSecond: number;
  /** User and system time of all threads of its process. */
  readonly microsecondsPerRecord: number;
}

/** Medians of the rounds. */
export interface CollectorBench {
  readonly recordsPerRequest: number;
  readonly bytesPerRecord: number;
  readonly product: CollectorBenchSide;
  readonly collector: CollectorBenchSide;
  /** A Collector as it comes: its exporter compresses. */
  readonly compressing: CollectorBenchSide;
}

interface Side extends AsyncDisposable {
  readonly pid: number;
  /** Takes requests of logs. */
  readonly url: URL;
  /** Resolves when as many records and bytes as were accepted since the last call have left; rejects when others did. */
  emptied(records: number, bytes: number): Promise<void>;
}

const sizes = [100, 1000];

/**
 * Logs over HTTP, in the product until they are rows, in the OpenTelemetry Collector until an exporter has sent them to a server that
 * discards them.
 */
export async function benchCollector(options: CollectorBenchOptions): Promise<readonly CollectorBench[]> {
  await using product = await startProductSide();
  await using collector = await startForwarding('none');
  await using compressing = await startForwarding('gzip');
  const found: CollectorBench[] = [];
  for (const recordsPerRequest of sizes) {
    const body = requestBytes('logs', logsPayload(recordsPerRequest));
    const measured: Record<'product' | 'collector' | 'compressing', CollectorBenchSide[]> = {
      product: [],
      collector: [],
      compressing: [],
    };
    for (let round = 0; round < options.rounds; round += 1) {
      measured.product.push(await measure(product, { ...options, body, recordsPerRequest }));
      measured.collector.push(await measure(collector, { ...options, body, recordsPerRequest }));
      measured.compressing.push(await measure(compressing, { ...options, body, recordsPerRequest }));
    }
    found.push({
      recordsPerRequest,
      bytesPerRecord: body.length / recordsPerRequest,
      product: medians(measured.product),
      collector: medians(measured.collector),
      compressing: medians(measured.compressing),
    });
  }
  return found;
}

interface Requests extends CollectorBenchOptions {
  readonly body: Uint8Array;
  readonly recordsPerRequest: number;
}

async function measure(side: Side, requests: Requests): Promise<CollectorBenchSide> {
  const { body, recordsPerRequest, connections, durationMs } = requests;
  const before = await readProcessorTime(side.pid);
  const began = performance.now();
  const { answers } = await runHttpLoad({
    host: '127.0.0.1',
    port: Number(side.url.port),
    connections,
    requests: [rawPost(side.url.pathname, body, ['Content-Type', 'application/x-protobuf'])],
    durationMs,
    warmUpMs: 0,
    awaitsAll: true,
  });
  const records = answers * recordsPerRequest;
  await side.emptied(records, answers * body.length);
  const seconds = (performance.now() - began) / 1000;
  const used = timeBetween(before, await readProcessorTime(side.pid));
  return {
    perSecond: records / seconds,
    microsecondsPerRecord: totalOf(used.all) / records,
  };
}

/** The product with a source of the preset, three sinks. */
async function startProductSide(): Promise<Side> {
  const product = await startProduct();
  const { api } = product;
  const source = '/v1/branches/default/sources/telemetry';
  await api.task('POST', '/v1/branches/default/sources', {
    name: 'Telemetry',
    sourceId: 'telemetry',
    ...presetBody('otlp', 'telemetry'),
  });
  const { otlp } = await api.call<{ otlp: { url: string } }>('GET', source);
  let rows = 0;
  return {
    pid: product.pid,
    url: new URL(`${otlp.url}/v1/logs`),
    emptied: async (records) => {
      await Promise.all(['logs', 'metrics', 'traces'].map((sink) => api.task('POST', `${source}/sinks/${sink}/flush`)));
      rows += records;
      const { rowsCount } = await api.call<{ rowsCount: number }>('GET', '/v2/storage/tables/in.c-telemetry.logs');
      if (rowsCount !== rows) throw new Error(`${rows} records were acknowledged, the table has ${rowsCount} rows`);
    },
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}

/** A Collector that forwards to this process. */
async function startForwarding(compression: 'none' | 'gzip'): Promise<Side> {
  const taken = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      taken.bytes += chunk.length;
    });
    request.on('end', () => {
      taken.requests += 1;
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const receiver = `127.0.0.1:${await lastingPort()}`;
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const collector = await startCollector([
    JSON.stringify({
      receivers: { otlp: { protocols: { http: { endpoint: receiver } } } },
      processors: { batch: {} },
      exporters: { otlp_http: { endpoint, compression, sending_queue: { block_on_overflow: true } } },
      service: {
        telemetry: { metrics: { level: 'none' } },
        pipelines: { logs: { receivers: ['otlp'], processors: ['batch'], exporters: ['otlp_http'] } },
      },
    }),
  ]);
  let bytes = 0;
  return {
    pid: collector.pid,
    url: new URL(`http://${receiver}/v1/logs`),
    emptied: async (_records, accepted) => {
      // A batch waits for 200 ms at most.
      for (let seen = -1; seen !== taken.requests;) {
        seen = taken.requests;
        await sleep(500);
      }
      bytes += accepted;
      if (compression === 'none' && taken.bytes !== bytes)
        throw new Error(`${bytes} bytes were accepted, ${taken.bytes} were forwarded:\n${collector.said()}`);
    },
    [Symbol.asyncDispose]: async () => {
      await collector[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
    },
  };
}

function medians(sides: readonly CollectorBenchSide[]): CollectorBenchSide {
  return {
    perSecond: median(sides.map(({ perSecond }) => perSecond)),
    microsecondsPerRecord: median(sides.map(({ microsecondsPerRecord }) => microsecondsPerRecord)),
  };
}

export const collectorBench: Bench = {
  meaning: 'logs of OpenTelemetry to rows, beside the OpenTelemetry Collector that forwards them',
  usual: { rounds: 3, seconds: 5 },
  run: async ({ rounds, seconds }) => {
    const missing = await whyNoCollector();
    if (missing !== undefined) return { figures: [], notes: [missing] };
    const found = await benchCollector({ rounds, durationMs: seconds * 1000, connections: 16 });
    return { figures: found.map(figureBesideCollector) };
  },
};

/** Of processor time, less is better. */
function figureBesideCollector({ recordsPerRequest, product, collector, compressing }: CollectorBench): Figure {
  const side = ({ microsecondsPerRecord, perSecond }: CollectorBenchSide): string =>
    `${microsecondsPerRecord.toFixed(1)} µs at ${rate(perSecond, 'records')}`;
  const times = (other: CollectorBenchSide): string =>
    (product.microsecondsPerRecord / other.microsecondsPerRecord).toFixed(1);
  return {
    what: `OpenTelemetry: logs over HTTP to rows, ${recordsPerRequest.toLocaleString('en')} records a request, processor time per record, times that of a Collector that forwards them`,
    measured: `${times(collector)}; ${times(compressing)} when it compresses`,
    floor: '–',
    goal: 'below 1',
    sides: `${side(product)}; Collector ${side(collector)}, compressing ${side(compressing)}`,
  };
}
