import { request as httpRequest } from 'node:http';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encoded, encoderNames, type Encoder } from '../../../../test/support/encoded.ts';
import { startIngest, testSource, type IngestHarness } from '../../../../test/support/ingest-harness.ts';

interface Hostile {
  readonly body: Buffer;
  readonly type: string;
  readonly encoding: string;
  readonly query: string;
}

const bombs = new Map(encoderNames.map((name) => [name, encoded(Buffer.alloc(4 * 1024 * 1024), [name])]));

const texts = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    Buffer.from(`{"a":${'['.repeat(10_000)}`),
    Buffer.from(`{"a":[${'{},'.repeat(12_000)}1]}`),
    Buffer.from('a=1&'.repeat(5000)),
    Buffer.from(`--b\r\n${'Content-Disposition: form-data; name="a[]"\r\n\r\n\0\r\n--b\r\n'.repeat(1100)}`),
    Buffer.alloc(0),
  ),
);

const bodies: fc.Arbitrary<Pick<Hostile, 'body' | 'encoding'>> = fc
  .record({
    body: fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: fc.constantFrom(...bombs.keys()) }),
    names: fc.array(fc.constantFrom(...encoderNames), { maxLength: 3 }),
    told: fc.constantFrom('', '', '', ', identity', ', unknown', ',gzip'),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    isCut: fc.boolean(),
  })
  .map(({ body, names, told, cut, isCut }) => {
    const all: readonly Encoder[] = typeof body === 'string' ? [body, ...names.slice(0, 1)] : names;
    const bytes =
      typeof body === 'string' ? encoded(bombs.get(body) ?? Buffer.alloc(0), names.slice(0, 1)) : encoded(body, names);
    return { body: isCut ? bytes.subarray(0, Math.floor(cut * bytes.length)) : bytes, encoding: all.join() + told };
  });

const hostile: fc.Arbitrary<Hostile> = fc
  .record({
    sent: bodies,
    type: fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
    ),
    query: fc.constantFrom('', '', '?batch=array', '?batch=lines', '?batch=path:a', '?batch=path:[0]', '?batch=path:['),
  })
  .map(({ sent, type, query }) => ({ ...sent, type, query }));

function statusOf({ url, path }: IngestHarness, { body, type, encoding, query }: Hostile): Promise<number> {
  const headers = { 'content-type': type, ...(encoding === '' ? {} : { 'content-encoding': encoding }) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}${path}${query}`, { method: 'POST', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject).end(body);
  });
}

test('D8: whatever bodies are and say they are, side by side, each is answered, nothing fails, and nothing stays in memory', async () => {
  await using ingest = await startIngest([testSource()], { maxBodyBytes: 256 * 1024 });
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 8, maxLength: 24 }), async (requests) => {
      const statuses = await Promise.all(requests.map((request) => statusOf(ingest, request)));
      expect(statuses.filter((status) => ![200, 400, 413, 415].includes(status))).toEqual([]);
      expect(ingest.told.filter((line) => line.startsWith('failed'))).toEqual([]);
      expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
    }),
    { numRuns: 15 },
  );
});
