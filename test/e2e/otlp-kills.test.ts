import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { twice } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { otlpMessage } from '../support/otlp-named-records.ts';
import type { Shop } from '../support/shop.ts';

/** A request of some log records, and whether its sender was told that they are stored. */
interface SentRequest {
  readonly numbers: readonly number[];
  readonly isAcknowledged: boolean;
  readonly over: 'HTTP' | 'gRPC';
}

const recordsARequest = 10;
const kills = 4;

describe('a product that is killed while it takes OpenTelemetry', () => {
  let installation: Installation;
  let shop: Shop;
  let target: { readonly url: string; readonly secret: string };
  let next = 0;
  const end = new AbortController();
  const sent: SentRequest[] = [];

  beforeAll(async () => {
    installation = await Installation.start();
    shop = installation.shop('tel');
    const columns = [{ type: 'path', name: 'n', path: 'body', rawString: true }];
    const table = { tableId: 'in.c-tel.logs', mapping: { columns } };
    const sinks = [{ name: 'Logs', sinkId: 'logs', allowedSignals: ['logs'], table }];
    await shop.api.task('POST', '/v1/branches/default/sources', { type: 'otlp', name: 'Tel', sourceId: 'tel', sinks });
    await shop.set(shop.path, { uploadCount: 500, uploadInterval: '1s', importCount: 1 });
    target = (await shop.api.call<{ otlp: typeof target }>('GET', shop.path)).otlp;
  }, 60_000);

  afterAll(() => installation[Symbol.asyncDispose]());

  async function overHttp(body: Buffer): Promise<boolean> {
    const headers = { 'content-type': 'application/x-protobuf' };
    const answer = await fetch(`${target.url}/v1/logs`, { method: 'POST', headers, body: new Uint8Array(body) });
    return answer.status === 200;
  }

  function overGrpc(client: Client, body: Buffer): Promise<boolean> {
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${target.secret}`);
    const path = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
    const same = (bytes: Buffer): Buffer => bytes;
    const options = { deadline: Date.now() + 15_000 };
    return new Promise((resolve) => {
      client.makeUnaryRequest(path, same, same, body, metadata, options, (error) => resolve(error === null));
    });
  }

  /** Sends one request after the other; none is sent again, so that each record may be there once. */
  async function keepSending(over: SentRequest['over'], send: (body: Buffer) => Promise<boolean>): Promise<void> {
    while (!end.signal.aborted) {
      const numbers = Array.from({ length: recordsARequest }, () => next++);
      const body = otlpMessage('logs', numbers.map(String));
      const isAcknowledged = await send(body).catch(() => false);
      sent.push({ numbers, isAcknowledged, over });
      if (!isAcknowledged) await sleep(50);
    }
  }

  it(
    'D1, D2, D3: has every acknowledged record once, and of each request all records or none',
    { timeout: 240_000 },
    async () => {
      const { otlpGrpc } = installation.process;
      const client = new Client(new URL(otlpGrpc).host, credentials.createInsecure(), {
        'grpc.initial_reconnect_backoff_ms': 100,
        'grpc.max_reconnect_backoff_ms': 500,
      });
      const senders = [
        ...Array.from({ length: 4 }, () => keepSending('HTTP', overHttp)),
        ...Array.from({ length: 4 }, () => keepSending('gRPC', (body) => overGrpc(client, body))),
      ];
      for (let kill = 0; kill < kills; kill += 1) {
        await sleep(400 + Math.random() * 1200);
        await installation.stop('SIGKILL');
        await installation.start();
      }
      await sleep(1000);
      end.abort();
      await Promise.all(senders);
      client.close();

      shop = installation.shop('tel');
      await shop.flush('logs');
      const stored = await shop.numbersIn('in.c-tel.logs');
      const there = new Set(stored);
      expect(twice(stored), 'D3').toEqual([]);
      expect(
        sent.filter((request) => request.isAcknowledged && !request.numbers.every((n) => there.has(n))),
        'D2',
      ).toEqual([]);
      const inPart = sent.filter(({ numbers }) => new Set(numbers.map((n) => there.has(n))).size > 1);
      expect(inPart, 'one append').toEqual([]);
      const acknowledged = sent.filter(({ isAcknowledged }) => isAcknowledged);
      for (const name of ['HTTP', 'gRPC'])
        expect(acknowledged.filter(({ over }) => over === name).length, name).toBeGreaterThan(20);
      expect(sent.length, 'requests that were cut off').toBeGreaterThan(acknowledged.length);
      const { totals } = await shop.progress('logs');
      expect([totals.accepted, totals.imported, totals.difference]).toEqual([stored.length, stored.length, 0]);
    },
  );
});
