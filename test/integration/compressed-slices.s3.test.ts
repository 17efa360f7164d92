import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { crc32, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openS3ObjectStore } from '../../src/adapters/s3/object-store.ts';
import { crc32Checksum } from '../../src/core/checksum.ts';
import type { StagedObject } from '../../src/core/progress/sink-progress.ts';
import { startCuttingProxy, type CuttingProxy, type Fate } from '../support/cutting-proxy.ts';
import { DeliveryWorld, never } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import { makingMs } from '../support/made-once.ts';
import { openS3ForTests, whereIsS3, type S3ForTests } from '../support/s3.ts';

const place = await whereIsS3();
const pass: Fate = { kind: 'pass' };

describe.skipIf(place.kind === 'nowhere')('compressed slices in a bucket', () => {
  let s3: S3ForTests;
  let proxy: CuttingProxy;

  beforeAll(async () => {
    s3 = await openS3ForTests();
    proxy = await startCuttingProxy(s3.options.endpoint);
  }, makingMs);
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await s3[Symbol.asyncDispose]();
  });

  it('D2, D3: lie there as gzip of what was staged, and are rows and dead letters once, also over a line that breaks', async () => {
    const options = { ...s3.options, endpoint: proxy.endpoint, keyPrefix: `slices/${randomUUID()}` };
    await using bucket = await openS3ObjectStore(options);
    await using world = await DeliveryWorld.open({ partitions: 2 });
    const sink = await world.addSink();
    const ports = { objects: bucket };
    await world.member('staging', { roles: ['map', 'stage'], ports }).start();
    // One answer to a put is lost, too.
    let lost = 0;
    proxy.fateOf = (request) =>
      request.startsWith('PUT ') && (lost += 1) === 1 ? { kind: 'cut', afterBytes: 0 } : pass;
    for (const partition of [0, 1]) await world.produce(30_000, { partition, brokenEvery: 7 });
    await world.until(async () => (await world.progress(sink)).staged.length >= 2, 1000);
    expect(lost).toBeGreaterThan(1);

    // A slice that was closed after a few lines may have no dead letter.
    const { staged } = await world.progress(sink);
    const objects = [staged.map(({ rowsObject }) => rowsObject), staged.map(({ deadObject }) => deadObject)];
    for (const ofOneKind of objects) {
      const there = ofOneKind.filter((object) => object !== undefined);
      expect(there.length).toBeGreaterThan(0);
      for (const object of there) await expectCompressed(bucket, object);
    }

    // Every stream of a slice breaks once on its way.
    const broken = new Set<string>();
    proxy.fateOf = (request) => {
      if (!request.startsWith('GET ') || request.includes('list-type') || broken.has(request)) return pass;
      broken.add(request);
      return { kind: 'cut', afterBytes: 20_000 };
    };
    await world.member('importing', { roles: ['import'], ports }).start();
    await world.delivered(sink);
    expect(broken.size).toBeGreaterThan(1);
    await expectDelivered(world, sink);
    const { lastImport } = await world.progress(sink);
    expect(lastImport?.storedRowBytes).toBeLessThan((lastImport?.rowBytes ?? 0) / 3);
  });
});

type Bucket = Awaited<ReturnType<typeof openS3ObjectStore>>;

/** Size and checksum of the document are those of what the bytes in the bucket become. */
async function expectCompressed(bucket: Bucket, object: StagedObject): Promise<void> {
  const stored = await buffer(await bucket.get(object.name, never));
  expect(object.compressed).toEqual({ as: 'gzip', bytes: stored.length });
  const lines = gunzipSync(stored);
  expect([lines.length, crc32Checksum(crc32(lines))]).toEqual([object.bytes, object.checksum]);
}
