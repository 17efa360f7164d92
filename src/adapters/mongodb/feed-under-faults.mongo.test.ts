import { setTimeout as sleep } from 'node:timers/promises';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followUnderFaults } from '../../../test/support/feed-under-faults.ts';
import { isLong } from '../../../test/support/long-tests.ts';
import { isEmulatorMissing, startMongodb, type StartedMongodb } from '../../../test/support/mongodb.ts';
import { openMongodbCatalog } from './catalog.ts';

const waiting = { signal: new AbortController().signal };

describe.skipIf(await isEmulatorMissing())('the feed of a MongoDB that stands still', () => {
  let server: StartedMongodb;

  beforeAll(async () => {
    server = await startMongodb();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('D2, D5, D7: what is changed before, while and after it does is with every follower soon, and none is missed', async () => {
    const database = `millrace-${v4()}`;
    // Its collections and indexes are made before calls are short.
    await (await openMongodbCatalog({ url: server.url, database }, waiting))[Symbol.asyncDispose]();
    const open = () => openMongodbCatalog({ url: server.url, database, operationTimeoutMs: 500 }, waiting);
    const freezeFor = (ms: number) => async (): Promise<void> => {
      await server.freeze();
      await sleep(ms);
      server.thaw();
    };
    // Shorter and longer than a call may take.
    const faults = [200, 900, 300, 1500].map(freezeFor);
    const rounds = isLong ? 10 : 1;
    const { done } = await followUnderFaults({
      open,
      faults: Array.from({ length: rounds }, () => faults).flat(),
      soonMs: 30_000,
    });
    expect(done).toBeGreaterThanOrEqual(200);
  });
});
