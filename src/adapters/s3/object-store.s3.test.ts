import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectStoreContract } from '../../../test/contract/object-store.contract.ts';
import { makingMs } from '../../../test/support/made-once.ts';
import { openS3ForTests, whereIsS3, type S3ForTests } from '../../../test/support/s3.ts';
import { openS3Client } from './client.ts';
import { leastPartBytes } from './config.ts';
import { openS3ObjectStore } from './object-store.ts';

const waiting = { signal: new AbortController().signal };
const place = await whereIsS3();
if (place.kind === 'nowhere') process.stdout.write(`skipped: ${place.reason}\n`);

describe('S3 in CI', () => {
  it('is there, so that its suite runs', ({ skip }) => {
    if (place.kind !== 'nowhere') return;
    if (process.env['CI'] === 'true') throw new Error(place.reason);
    skip(place.reason);
  });
});

describe.skipIf(place.kind === 'nowhere')('on a real server', () => {
  let s3: S3ForTests;

  beforeAll(async () => {
    s3 = await openS3ForTests();
  }, makingMs);
  afterAll(() => s3[Symbol.asyncDispose]());

  objectStoreContract('S3', async () => {
    const keyPrefix = `contract/${randomUUID()}`;
    return {
      open: () => openS3ObjectStore({ ...s3.options, keyPrefix }),
      [Symbol.asyncDispose]: async () => {},
    };
  });

  it('sends and checks the checksums of newer servers when it is told to', async () => {
    const options = { ...s3.options, keyPrefix: `sums/${randomUUID()}`, partBytes: leastPartBytes };
    await using store = await openS3ObjectStore({ ...options, checksums: 'whenSupported' });
    for (const size of [0, 1000, 12_000_000]) {
      const bytes = randomBytes(size);
      await store.put(`${size}`, { kind: 'bytes', bytes }, waiting);
      expect((await buffer(await store.get(`${size}`, waiting))).equals(bytes)).toBe(true);
    }
    const client = await openS3Client(options);
    const head = { Bucket: options.bucket, Key: `${options.keyPrefix}/12000000`, ChecksumMode: 'ENABLED' as const };
    const { ChecksumCRC32 } = await client.send(new HeadObjectCommand(head));
    client.destroy();
    expect(ChecksumCRC32).toMatch(/./);
  });

  it('readers that leave early, or wait while others read, hold up nobody', async () => {
    await using store = await openS3ObjectStore({ ...s3.options, keyPrefix: `readers/${randomUUID()}` });
    const bytes = randomBytes(9_000_000);
    await store.put('a', { kind: 'bytes', bytes }, waiting);
    const idle = await Promise.all(Array.from({ length: 100 }, () => store.get('a', waiting)));
    const slow = await store.get('a', waiting);
    const chunks: Buffer[] = [];
    for await (const chunk of slow) {
      if (chunks.length === 0) await buffer(await store.get('a', waiting));
      chunks.push(Buffer.from(chunk as Uint8Array));
    }
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    for (const stream of idle) stream.destroy();
    await store.delete('a', waiting);
  });
});
