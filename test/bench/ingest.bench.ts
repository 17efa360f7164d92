import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { silentIngest } from '../support/silent-ingest.ts';
import { createIngest } from '../support/create-ingest.ts';
import { testSecret, testSource } from '../support/ingest-harness.ts';
import { createAppendLog } from '../support/memory-event-log.ts';
import { listenBare, type Listening } from './bare-server.ts';
import { rawPost, runHttpLoad, type HttpLoadResult } from './http-load.ts';

export interface IngestBenchOptions {
  readonly rounds: number;
  /** Of each side in each round; its first quarter is not counted. */
  readonly durationMs: number;
  readonly connections: number;
}

/** Medians over the rounds; the sides take turns, so that each round's ratios are of the same minute. */
export interface IngestBenchResult {
  /** A bare `node:http` server that reads the body and answers `OK`, requests/s. */
  readonly barePerSecond: number;
  /** Ingest with a log that costs nothing, share of bare. */
  readonly withoutLogShare: number;
  /** Ingest with the LMDB log, each event durable before its answer, events/s and share of bare. */
  readonly durablePerSecond: number;
  readonly durableShare: number;
  /** The same with 100 lines a request: events/s, and how many times the single rate. */
  readonly batchedPerSecond: number;
  readonly batchedTimes: number;
  readonly durableLatencyMs: { readonly p50: number; readonly p99: number };
}

const linesARequest = 100;
const path = `/stream/1/orders/${testSecret}`;
const webhookHeaders = ['User-Agent', 'GitHub-Hookshot/044aadd', 'Accept', '*/*', 'X-GitHub-Event', 'push'];
/** About 1 KB, as the figures of the design have it. */
const event = JSON.stringify({ id: 1234567, action: 'opened', title: 'A title', text: 'x'.repeat(940) });

const singleRequest = rawPost(path, Buffer.from(event), [...webhookHeaders, 'Content-Type', 'application/json']);
const batchRequest = rawPost(path, Buffer.from(`${event}\n`.repeat(linesARequest)), [
  ...webhookHeaders,
  'Content-Type',
  'application/x-ndjson',
]);

async function listenIngest(log: Pick<EventLog, 'append' | 'condition'>): Promise<Listening> {
  const sources = [testSource()];
  const service = createIngest({
    log,
    sources: { version: 1, find: () => sources, all: () => sources },
    clock: systemClock,
    telemetry: silentIngest,
  });
  await service.start();
  return { port: service.address()?.port ?? 0, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Measures all sides in turns. Fails when any request was not answered with a 2xx. */
export async function benchIngest(options: IngestBenchOptions): Promise<IngestBenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  try {
    await using log = await openLmdbEventLog({
      path: join(folder, 'log'),
      instance: 'bench',
      first: true,
      clock: systemClock,
    });
    await log.createTopic({ name: testSource().topic, partitions: 1 }, { signal: new AbortController().signal });
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds; round++) rounds.push(await measureRound(options, log));
    const of = (pick: (round: Round) => number): number => median(rounds.map(pick));
    return {
      barePerSecond: of(({ bare }) => bare.perSecond),
      withoutLogShare: of(({ bare, withoutLog }) => withoutLog.perSecond / bare.perSecond),
      durablePerSecond: of(({ durable }) => durable.perSecond),
      durableShare: of(({ bare, durable }) => durable.perSecond / bare.perSecond),
      batchedPerSecond: of(({ batched }) => batched.perSecond * linesARequest),
      batchedTimes: of(({ durable, batched }) => (batched.perSecond * linesARequest) / durable.perSecond),
      durableLatencyMs: {
        p50: of(({ durable }) => durable.latencyMs.p50),
        p99: of(({ durable }) => durable.latencyMs.p99),
      },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Round {
  readonly bare: HttpLoadResult;
  readonly withoutLog: HttpLoadResult;
  readonly durable: HttpLoadResult;
  readonly batched: HttpLoadResult;
}

async function measureRound(options: IngestBenchOptions, log: Pick<EventLog, 'append' | 'condition'>): Promise<Round> {
  const { durationMs, connections } = options;
  const load = async (listen: () => Promise<Listening>, request: Uint8Array): Promise<HttpLoadResult> => {
    await using server = await listen();
    const times = { durationMs: durationMs * 0.75, warmUpMs: durationMs * 0.25 };
    const result = await runHttpLoad({ host: '127.0.0.1', port: server.port, connections, request, ...times });
    if (result.failures > 0) throw new Error(`${result.failures} requests of the bench failed`);
    return result;
  };
  return {
    bare: await load(listenBare, singleRequest),
    withoutLog: await load(() => listenIngest(createAppendLog({ keep: false }).log), singleRequest),
    durable: await load(() => listenIngest(log), singleRequest),
    batched: await load(() => listenIngest(log), batchRequest),
  };
}

if (import.meta.main) {
  console.log(await benchIngest({ rounds: 3, durationMs: 2000, connections: 64 }));
}
