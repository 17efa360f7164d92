import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { recordRun } from '../../../../test/support/record-run.ts';
import { systemClock } from '../../../runtime/system-clock.ts';
import { openLmdbEventLog } from '../event-log.ts';
import { LogStore } from './store.ts';

const waiting = { signal: new AbortController().signal };

it('D6: a partition with more than a commit takes holds up no other one for longer than that commit', async () => {
  const path = await mkdtemp(join(tmpdir(), 'millrace-commit-'));
  try {
    await using log = await openLmdbEventLog({ path, instance: 'main', first: true, clock: systemClock });
    await log.createTopic({ name: 'events', partitions: 2 }, waiting);
    const settled: string[] = [];
    const append = async (partition: number, bytes: number, name: string): Promise<void> => {
      const record = { value: Buffer.alloc(bytes, 1), headers: [], timestamp: 0 };
      await log.append({ topic: 'events', partition }, [record], waiting);
      settled.push(name);
    };
    // Three commits of 8 MB.
    const large = Array.from({ length: 5 }, (_, at) => append(0, 4 * 1024 ** 2, `large ${at}`));
    await Promise.all([...large, append(1, 10, 'small')]);
    expect(settled.slice(0, 2)).toEqual(['large 0', 'large 1']);
    expect(settled.indexOf('small')).toBeLessThan(settled.indexOf('large 4'));
    expect(settled.indexOf('small')).toBeLessThanOrEqual(4);
  } finally {
    await rm(path, { recursive: true });
  }
});

it('refuses a run of which one record is larger than its topic takes, to the byte', async () => {
  const path = await mkdtemp(join(tmpdir(), 'millrace-commit-'));
  try {
    await using log = await openLmdbEventLog({ path, instance: 'main', first: true, clock: systemClock });
    await log.createTopic({ name: 'events', partitions: 1, maxRecordBytes: 1000 }, waiting);
    const appendWith = (bytes: number): Promise<number> => {
      const values = [5, bytes, 6].map((length) => Buffer.alloc(length, 1));
      const run = recordRun({ name: 'id', ids: ['1', '2', '3'], values, sharedHeaders: ['a', 'b'], timestamp: 0 });
      return log.append({ topic: 'events', partition: 0 }, run, waiting);
    };
    // Beside the value: "id", "2", "a" and "b".
    await expect(appendWith(996)).rejects.toMatchObject({ code: 'log.recordTooLarge', details: { bytes: 1001 } });
    expect([await appendWith(995), await appendWith(5)]).toEqual([0, 3]);
  } finally {
    await rm(path, { recursive: true });
  }
});

it('appends that come one after the other, where several came together before, are one commit', async () => {
  const path = await mkdtemp(join(tmpdir(), 'millrace-commit-'));
  const store = new LogStore(path);
  try {
    await using log = await openLmdbEventLog({
      path,
      instance: 'main',
      first: true,
      hasManySenders: true,
      clock: systemClock,
    });
    await log.createTopic({ name: 'events', partitions: 1 }, waiting);
    const append = (): Promise<number> =>
      log.append({ topic: 'events', partition: 0 }, [{ value: Buffer.from('a'), headers: [], timestamp: 0 }], waiting);
    const commitsOf = async (work: () => Promise<unknown>): Promise<number> => {
      const before = store.lastTransaction();
      await work();
      return store.lastTransaction() - before;
    };
    const oneAfterTheOther = async (): Promise<void> => {
      const appended = [append()];
      for (let more = 0; more < 2; more += 1) {
        await turn();
        await turn();
        appended.push(append());
      }
      await Promise.all(appended);
    };
    // On a busy machine a turn may be longer than anybody waits.
    let fewest = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 50 && fewest > 1; tries += 1) {
      for (let commits = 0; commits < 2; commits += 1) await Promise.all([append(), append(), append()]);
      fewest = Math.min(fewest, await commitsOf(oneAfterTheOther));
    }
    expect(fewest).toBe(1);
  } finally {
    await store.close();
    await rm(path, { recursive: true });
  }
});
