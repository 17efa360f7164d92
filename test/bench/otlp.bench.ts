import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { signals, type Signal } from '../../src/core/event.ts';
import { requestBytes } from '../support/otlp-messages.ts';
import { otlpJson, otlpPayloads, recordsPerRequest } from './otlp-payloads.ts';
import type { Bench } from './bench.ts';
import type { Figure } from './figure.ts';
import { rate } from './rate.ts';

/** Rates are records a second of processor time, of requests of 1,000 records. */
export interface OtlpBench {
  readonly signal: Signal;
  readonly encoding: 'protobuf' | 'JSON';
  /** From the bytes of a request to the bytes of its events. */
  readonly rate: number;
  /** Into objects alone: of protobuf with the same codec, of JSON with `JSON.parse`. */
  readonly reference: number;
  /** What a record has in the request. */
  readonly recordBytes: number;
}

export type OtlpSide = 'protobuf' | 'json' | 'decodeProtobuf' | 'parseJson';

export interface OtlpSideInput {
  readonly side: OtlpSide;
  readonly signal: Signal;
  readonly body: Uint8Array;
  readonly count: number;
}

const rounds = 9;
const requestsPerRound = 40;

/** Both sides in turns, each in a thread of its own, so that neither shapes how the engine compiles the other; the best round counts. */
export async function benchOtlp(): Promise<readonly OtlpBench[]> {
  const found: OtlpBench[] = [];
  for (const signal of signals) {
    const protobuf = requestBytes(signal, otlpPayloads[signal]);
    const json = Buffer.from(otlpJson(signal));
    found.push({ signal, encoding: 'protobuf', ...(await ratesOf(signal, protobuf, ['protobuf', 'decodeProtobuf'])) });
    found.push({ signal, encoding: 'JSON', ...(await ratesOf(signal, json, ['json', 'parseJson'])) });
  }
  return found;
}

type Rates = Pick<OtlpBench, 'rate' | 'reference' | 'recordBytes'>;

async function ratesOf(signal: Signal, body: Uint8Array, [own, alone]: readonly [OtlpSide, OtlpSide]): Promise<Rates> {
  const threads = [own, alone].map((side) => {
    const input: OtlpSideInput = { side, signal, body, count: recordsPerRequest };
    return new Worker(new URL('otlp-sides.ts', import.meta.url), { workerData: input });
  });
  const best = threads.map(() => 0);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, thread] of threads.entries()) best[at] = Math.max(best[at] ?? 0, await rateOf(thread));
  await Promise.all(threads.map((thread) => thread.terminate()));
  const [rate = 0, reference = 0] = best;
  return { rate, reference, recordBytes: body.length / recordsPerRequest };
}

async function rateOf(thread: Worker): Promise<number> {
  const answered = once(thread, 'message');
  thread.postMessage(requestsPerRound);
  const [{ records, microseconds }] = (await answered) as [{ records: number; microseconds: number }];
  return (records / microseconds) * 1e6;
}

export const otlpBench: Bench = {
  meaning: 'decode and flatten requests of OpenTelemetry on one thread, beside decoding alone',
  usual: {},
  run: async () => ({ figures: (await benchOtlp()).map(figureOfOtlp) }),
};

function figureOfOtlp({ signal, encoding, rate: own, reference, recordBytes }: OtlpBench): Figure {
  const [alone, floor, goal] = encoding === 'JSON' ? ['JSON.parse', '–', '–'] : ['decoding alone', '0.5', '0.7'];
  return {
    what: `OpenTelemetry: decode and flatten ${signal} in ${encoding}, share of ${alone}`,
    measured: (own / reference).toFixed(2),
    floor,
    goal,
    sides: `${rate(own, 'records')} of ${rate(reference, 'records')}; ${((own * recordBytes) / 1e6).toFixed(0)} MB/s of requests`,
  };
}
