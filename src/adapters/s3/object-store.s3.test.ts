import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { objectStoreContract } from '../../../test/contract/object-store.contract.ts';
import { buildMs, openS3ForTests, whereIsS3, type S3ForTests } from '../../../test/support/s3.ts';
import { openS3ObjectStore } from './object-store.ts';

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
  }, buildMs);
  afterAll(() => s3[Symbol.asyncDispose]());

  objectStoreContract('S3', async () => {
    const keyPrefix = `contract/${randomUUID()}`;
    return {
      open: () => openS3ObjectStore({ ...s3.options, keyPrefix }),
      [Symbol.asyncDispose]: async () => {},
    };
  });
});
