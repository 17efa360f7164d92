import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openS3ObjectStore } from '../../src/adapters/s3/object-store.ts';
import { parseInstallationId } from '../../src/core/installation-id.ts';
import type { ObjectStore } from '../../src/ports/object-store.ts';
import { markedStaging } from '../../src/stages/claims/marked-store.ts';
import { StagingMark } from '../../src/stages/claims/staging-mark.ts';
import { StoreClaims } from '../../src/stages/claims/store-claims.ts';
import { startCuttingProxy, type CuttingProxy, type Fate } from '../support/cutting-proxy.ts';
import { DeliveryWorld } from '../support/faults/delivery-world.ts';
import { makingMs } from '../support/made-once.ts';
import { openS3ForTests, whereIsS3, type S3ForTests } from '../support/s3.ts';

const place = await whereIsS3();
const waiting = { signal: new AbortController().signal };
const pass: Fate = { kind: 'pass' };
const lost: Fate = { kind: 'cut', afterBytes: 0 };
const conflict: Fate = {
  kind: 'answer',
  http:
    'HTTP/1.1 409 Conflict\r\ncontent-type: application/xml\r\nconnection: close\r\n\r\n' +
    '<?xml version="1.0"?><Error><Code>ConditionalRequestConflict</Code><Message>said by the test</Message></Error>',
};
const isPut = (request: string): boolean => request.startsWith('PUT ');

describe.skipIf(place.kind === 'nowhere')('the mark of a bucket behind a network that loses answers', () => {
  const [mine, another] = [parseInstallationId(randomUUID()), parseInstallationId(randomUUID())];
  let s3: S3ForTests;
  let proxy: CuttingProxy;
  let store: ObjectStore;
  let straight: ObjectStore;

  beforeAll(async () => {
    s3 = await openS3ForTests();
    proxy = await startCuttingProxy(s3.options.endpoint);
  }, makingMs);
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await s3[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    proxy.fateOf = () => pass;
    const options = { ...s3.options, keyPrefix: `mark/${randomUUID()}` };
    store = await openS3ObjectStore({ ...options, endpoint: proxy.endpoint });
    straight = await openS3ObjectStore(options);
  });
  afterEach(async () => {
    await store[Symbol.asyncDispose]();
    await straight[Symbol.asyncDispose]();
  });

  /** So many requests meet it, then all pass. */
  const first = (times: number, which: (request: string) => boolean, fate: Fate): void => {
    let left = times;
    proxy.fateOf = (request) => (which(request) && left-- > 0 ? fate : pass);
  };

  it.each([
    ['the first answer', 1],
    ['every answer', Number.POSITIVE_INFINITY],
  ])('D2: whose claim loses %s of its put has it, and knows it', async (_, times) => {
    first(times, isPut, lost);
    expect(await new StagingMark(store).claim(mine, waiting)).toBe(mine);
    expect(await new StagingMark(straight).claim(another, waiting)).toBe(mine);
  });

  it('D2: a claim that meets the put of another one answers whose it is, once that is there', async () => {
    first(1, isPut, conflict);
    await expect(new StagingMark(store).claim(mine, waiting)).rejects.toMatchObject({ code: 'objects.unavailable' });
    first(1, isPut, conflict);
    expect(await new StagingMark(straight).claim(another, waiting)).toBe(another);
    expect(await new StagingMark(store).claim(mine, waiting)).toBe(another);
  });

  it('D2: a claim of which nothing is known may have happened, and may be made again', async () => {
    proxy.fateOf = () => lost;
    await expect(new StagingMark(store).claim(mine, waiting)).rejects.toMatchObject({ code: 'objects.unavailable' });
    expect(await new StagingMark(straight).claim(another, waiting)).toBe(mine);
    proxy.fateOf = () => pass;
    expect(await new StagingMark(store).claim(mine, waiting)).toBe(mine);
  });

  it('D6: a process starts while the bucket does not answer, removes nothing, and has it once it answers', async () => {
    await using world = await DeliveryWorld.open();
    const told: string[] = [];
    const claims = new StoreClaims({
      catalog: world.ports.catalog,
      stores: [markedStaging(store)],
      makeId: () => mine,
      observer: {
        storeNotOurs: (_, { code }) => told.push(code),
        storeOurs: () => told.push('ours'),
        ownerUnknown: (_, { code }) => told.push(code),
      },
    });
    proxy.fateOf = () => lost;
    await claims.begin(waiting);
    expect(await claims.isOurs('staging', waiting)).toBe(false);
    proxy.fateOf = () => pass;
    await claims.look(waiting);
    expect(await claims.isOurs('staging', waiting)).toBe(true);
    expect(told).toEqual(['objects.unavailable', 'ours']);
    expect(await new StagingMark(straight).claimant(waiting)).toBe(mine);
  });
});
