import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followUnderFaults } from '../../../test/support/feed-under-faults.ts';
import { isLong } from '../../../test/support/long-tests.ts';
import { isPostgresToKillMissing, startPostgres, type StartedPostgres } from '../../../test/support/postgres.ts';
import { openPostgresCatalog } from './catalog.ts';

const waiting = { signal: new AbortController().signal };

describe.skipIf(await isPostgresToKillMissing())('the feed of a PostgreSQL that is killed, stopped and frozen', () => {
  let server: StartedPostgres;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('D2, D5, D7: what is changed before, while and after it does is with every follower soon, and none is missed', async () => {
    const url = await server.createDatabase();
    const open = () => openPostgresCatalog({ url, keptRemovals: 20 }, waiting);
    const faults = [
      async () => {
        await server.kill();
        await server.start();
      },
      async () => {
        await server.stop();
        await server.start();
      },
      async () => {
        await server.freeze();
        await sleep(1500);
        await server.thaw();
      },
    ];
    const rounds = isLong ? 10 : 1;
    const { done, refused } = await followUnderFaults({
      open,
      faults: Array.from({ length: rounds }, () => faults).flat(),
      soonMs: 30_000,
    });
    expect(done).toBeGreaterThanOrEqual(150);
    expect(refused).toBeGreaterThan(0);
  });
});
