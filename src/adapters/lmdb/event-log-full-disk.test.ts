import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryDisk } from '../../../test/support/temporary-disk.ts';
import type { EventLog, GroupMember } from '../../ports/event-log.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { openEnvironment } from './client.ts';
import { openLmdbEventLog } from './event-log.ts';
import { purgeKey } from './log/keys.ts';
import { logFormat, LogStore } from './log/store.ts';
import { identified } from '../../../test/support/identified.ts';

/** Of a snapshot. */
interface Reader {
  close(): Promise<void>;
}

const waiting = { signal: new AbortController().signal };
const topic = 'events';
const at = { topic, partition: 0 };

describe('the LMDB event log on a full disk', () => {
  let disk: TemporaryDisk | undefined;

  beforeEach(({ skip }) => {
    disk = TemporaryDisk.mount(16);
    if (disk === undefined) skip('a tmpfs can be mounted by root only');
  });
  afterEach(() => disk?.[Symbol.dispose]());

  const pathOfLog = () => join(disk?.path ?? '', 'log');
  const open = () => openLmdbEventLog({ path: pathOfLog(), instance: 'main', clock: systemClock });
  const append = (log: EventLog, bytes: number) =>
    log.append(at, [{ value: Buffer.alloc(bytes, 1), headers: [], timestamp: 0 }], waiting);
  /** Appends until that is refused; gives the refusal, and how many were taken. */
  const fill = async (log: EventLog, bytes: number) => {
    for (let written = 0; written < 5_000; written++) {
      const failure: unknown = await append(log, bytes).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (failure !== undefined) return { failure, written };
    }
    throw new Error('the disk does not fill up');
  };
  /** While somebody reads a snapshot no page of it is used again, so not even upkeep can be written in the end. */
  const fillToTheLastPage = async (log: EventLog): Promise<Reader> => {
    const environment = openEnvironment({ path: pathOfLog(), kind: 'log', format: logFormat });
    // Whoever lets go of it may have it collected, and with it the snapshot.
    const snapshot = environment.useReadTransaction();
    expect((await fill(log, 100_000)).failure).toMatchObject({ code: 'log.diskFull', retryable: true });
    const store = new LogStore(pathOfLog());
    const keepWriting = async (): Promise<never> => {
      for (;;) await store.write(() => store.put(purgeKey(1_000_000), Buffer.alloc(1)));
    };
    await expect(keepWriting()).rejects.toMatchObject({ code: 'log.diskFull' });
    await store.close();
    const close = async (): Promise<void> => {
      snapshot.done();
      await environment.close();
    };
    return { close };
  };
  const joinGroup = async (log: EventLog, member: string): Promise<GroupMember> => {
    const joined = await log.join({ group: 'group', member }, waiting);
    await joined.subscribe([topic], waiting);
    return joined;
  };

  it('D8: an append is log.diskFull, nothing acknowledged is lost, and it heals when there is space', async () => {
    await using log = await open();
    await log.createTopic({ name: topic, partitions: 1 }, waiting);
    const { failure, written } = await fill(log, 100_000);
    expect(failure).toMatchObject({ code: 'log.diskFull', retryable: true });
    await expect(append(log, 100_000)).rejects.toMatchObject({ code: 'log.diskFull' });
    expect(await log.ranges(topic, waiting)).toMatchObject([{ first: 0, durableEnd: written }]);
    await log.trim(await identified(log, at), 20, waiting);
    expect(await append(log, 100_000)).toBe(written);
    expect(await log.ranges(topic, waiting)).toMatchObject([{ first: 20, durableEnd: written + 1 }]);
  });

  it('D10: closing releases the file even when the group cannot be told', async () => {
    const log = await open();
    expect(openFiles().some((file) => file.startsWith(pathOfLog()))).toBe(true);
    await log.createTopic({ name: topic, partitions: 1 }, waiting);
    for (const member of ['a', 'b']) await joinGroup(log, member);
    const reader = await fillToTheLastPage(log);
    await expect(log[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'log.diskFull' });
    await log[Symbol.asyncDispose]();
    await reader.close();
    expect(openFiles().filter((file) => file.startsWith(pathOfLog()))).toEqual([]);
  });

  it('D6: a member that could not say that it left holds nothing any more when another joins', async () => {
    await using log = await open();
    await log.createTopic({ name: topic, partitions: 4 }, waiting);
    const left = await joinGroup(log, 'left');
    const reader = await fillToTheLastPage(log);
    await expect(left[Symbol.asyncDispose]()).rejects.toMatchObject({ code: 'log.diskFull' });
    await reader.close();
    disk?.resize(32);
    const member = await joinGroup(log, 'member');
    await member.poll({ maxBytes: 1, maxWaitMs: 0 }, waiting);
    expect(member.assignment.partitions).toHaveLength(4);
  });
});

/** Paths of the files that this process has open. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });
}
