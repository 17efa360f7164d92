import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { matching } from '../../test/support/matching.ts';
import { uploadedFile } from '../../test/support/storage-jobs.ts';
import { limits } from '../core/limits.ts';

const F = '/v2/storage/files';
/** By which the pace of uploads is measured, and nothing else. */
const pace = new FakeClock();
let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin((given) => ({
    ...given,
    clock: {
      now: () => given.clock.now(),
      monotonic: () => given.clock.monotonic(),
      sleep: (ms, options) => (ms === limits.uploadPace.ms ? pace : given.clock).sleep(ms, options),
    },
  }));
});

afterAll(() => harness[Symbol.asyncDispose]());

const folder = (): string => join(harness.dependencies.localFolder, 'uploads');
const spooled = (): Promise<readonly string[]> => readdir(folder());
/** Bytes that have arrived of the uploads that are under way. */
async function arrived(): Promise<number> {
  const sizes = (await spooled()).map(async (name) => (await stat(join(folder(), name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

interface Sending {
  readonly id: number;
  readonly request: ClientRequest;
  readonly answer: Promise<{ readonly status: number | undefined; readonly body: unknown }>;
}

/** An upload that has begun, and may go on. */
async function begin(headers: Readonly<Record<string, string | number>>, sizeBytes?: number): Promise<Sending> {
  const { id } = await harness.api.call<{ id: number }>('POST', `${F}/prepare`, { name: 'slow.csv', sizeBytes });
  const request = httpRequest(`${harness.base}${F}/${id}/content`, {
    method: 'PUT',
    headers: { 'X-StorageApi-Token': rootToken, ...headers },
  });
  request.on('error', () => undefined);
  const answer = once(request, 'response').then(async ([response]) => {
    const { statusCode: status } = response as IncomingMessage;
    return { status, body: await json(response as IncomingMessage) };
  });
  request.flushHeaders();
  return { id, request, answer };
}

test('B4: uploads that stand still or drip are ended in words, make room, and hold up nobody', async () => {
  const half = await begin({ 'Content-Length': 1_000_000 });
  const silent = await begin({ 'Transfer-Encoding': 'chunked' });
  const dripping = await begin({ 'Transfer-Encoding': 'chunked' });
  const well = await begin({ 'Content-Length': 300_000 });
  half.request.write('x'.repeat(100_000));
  dripping.request.write('x');
  well.request.write('x'.repeat(100_000));
  const others = await Promise.all(
    Array.from({ length: limits.uploadsAtOnce - 4 }, () => begin({ 'Content-Length': 10 })),
  );
  await expect.poll(spooled).toHaveLength(limits.uploadsAtOnce);
  await expect.poll(arrived).toBe(200_001);
  // There is no room for another, which is told so although its bytes are on their way.
  const refused = await begin({ 'Content-Length': 50_000_000 });
  refused.request.write('x'.repeat(5_000_000));
  expect(await refused.answer).toMatchObject({ status: 503, body: { error: matching(/20 files are being uploaded/) } });

  // What was sent until now is fast enough for those that sent much.
  pace.advance(limits.uploadPace.ms);
  for (const sending of [silent, dripping, ...others])
    expect(await sending.answer).toMatchObject({ status: 408, body: { code: 'requestTimeout' } });
  await expect.poll(spooled).toHaveLength(2);
  expect(await uploadedFile('a\n1\n', { base: harness.base })).toBeGreaterThan(0);

  well.request.write('x'.repeat(100_000));
  await expect.poll(arrived).toBe(300_000);
  pace.advance(limits.uploadPace.ms);
  expect(await half.answer).toMatchObject({
    status: 408,
    body: { error: matching(/The upload stands still: 0 bytes came within 60 seconds/) },
  });
  well.request.end('x'.repeat(100_000));
  expect(await well.answer).toMatchObject({ status: 200, body: { sizeBytes: 300_000 } });
  expect(await spooled()).toEqual([]);
  // The same file may be sent again.
  const again = await fetch(`${harness.base}${F}/${half.id}/content`, {
    method: 'PUT',
    headers: { 'X-StorageApi-Token': rootToken },
    body: 'whole',
  });
  expect(again.status).toBe(200);
}, 100_000);

test('B4: a sender that is refused while it sends reads why, and is cut when it goes on', async () => {
  const { request, answer } = await begin({ 'Content-Length': 100_000_000 }, 10);
  const closed = once(request.socket ?? request, 'close');
  request.write('x'.repeat(20_000_000));
  expect(await answer).toMatchObject({
    status: 400,
    body: { error: matching(/announced with 10 bytes, and more came/) },
  });
  await closed;
}, 100_000);
