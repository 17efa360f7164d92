import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogThreadData, LogThreadMessage } from '../../../test/support/log-thread.ts';
import { recordRun } from '../../../test/support/record-run.ts';
import { canTraceSystemCalls, systemCallsOf, type SystemCall } from '../../../test/support/system-calls.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { EventLog, GroupMember, LogRecord } from '../../ports/event-log.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { openEnvironment } from './client.ts';
import { openLmdbEventLog } from './event-log.ts';
import { batchKey, purgeKey, topicKey } from './log/keys.ts';
import { LogStore } from './log/store.ts';
import { identified } from '../../../test/support/identified.ts';

const waiting = { signal: new AbortController().signal };
const processModule = fileURLToPath(new URL('../../../test/support/log-process.ts', import.meta.url));
const threadModule = new URL('../../../test/support/log-thread.ts', import.meta.url);
const topic = 'events';
const at = { topic, partition: 0 };

describe('the LMDB event log on its disk', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-log-'));
    path = join(folder, 'log');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (instance = 'main', first = false) => openLmdbEventLog({ path, instance, first, clock: systemClock });
  const create = (log: EventLog, partitions = 1) => log.createTopic({ name: topic, partitions }, waiting);
  const append = (log: EventLog, bytes = 10, count = 1) =>
    log.append(
      at,
      Array.from({ length: count }, () => ({ value: Buffer.alloc(bytes, 1), headers: [], timestamp: 0 })),
      waiting,
    );

  it('D1: a record is synced before it is acknowledged and before a consumer sees it', async ({ skip }) => {
    if (!canTraceSystemCalls()) skip('strace is not installed');
    const program = [processModule, path, 'follow', '5'];
    const calls = await systemCallsOf(program, 'openat,write,writev,pwrite64,pwritev,fdatasync,fsync');
    const said = whatWasSyncedWhenSaid(calls);
    expect(said.map(({ line }) => line).sort()).toEqual(
      ['acked', 'seen'].flatMap((word) => [0, 1, 2, 3, 4].map((n) => `${word} ${n}`)),
    );
    expect(said.filter(({ unsyncedWrites }) => unsyncedWrites > 0)).toEqual([]);
    expect(said.map(({ syncs }) => syncs)).toEqual(said.map((_, index) => Math.floor(index / 2) + 1));
    const shown = whatWasUnsyncedWhenShown(calls);
    expect(shown.length).toBeGreaterThanOrEqual(5);
    expect(shown).toEqual(shown.map(() => 0));
  });

  it('D1: the entries on the way to a new log are synced before anything is written to it', async ({ skip }) => {
    if (!canTraceSystemCalls()) skip('strace is not installed');
    path = join(folder, 'made', 'here', 'log');
    const calls = await systemCallsOf(
      [processModule, path, 'follow', '1'],
      'openat,mkdir,pwrite64,pwritev,write,fsync',
    );
    const file = join(path, 'data.mdb');
    const firstWrite = calls.find(({ name, text }) => name.includes('write') && text.includes(`<${file}>`));
    for (let entry = file; entry !== dirname(folder); entry = dirname(entry)) {
      const made = calls.find(
        ({ name, text }) => /mkdir|open/.test(name) && text.includes(`"${entry}"`) && / = [0-9]/.test(text),
      );
      const synced = calls.find(({ name, text }) => name === 'fsync' && text.includes(`<${dirname(entry)}>`));
      expect([entry, synced !== undefined]).toEqual([entry, true]);
      expect(synced?.began).toBeGreaterThan(entry === folder ? -1 : (made?.ended ?? Infinity));
      expect(synced?.ended).toBeLessThan(firstWrite?.began ?? -1);
    }
  });

  it('D2: after kill -9 at random moments every acknowledged record is there, once and in order', async () => {
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, [processModule, path, 'flood', String(round)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      const enough = 1 + Math.floor(Math.random() * 3000);
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.length > enough * 10) child.kill('SIGKILL');
      });
      await once(child, 'close');
      await using log = await open('main', true);
      const stored = await textsOf(log, [0, 1]);
      const acked = output
        .split('\n')
        .slice(0, -1)
        .map((line) => line.replace('acked ', ''));
      expect(acked.length).toBeGreaterThan(0);
      expect(acked.filter((text) => !stored.includes(text))).toEqual([]);
      const ofRound = stored.filter((text) => text.startsWith(`${round}.`));
      for (let client = 0; client < 16; client++) {
        const mine = ofRound.filter((text) => text.startsWith(`${round}.${client}.`));
        expect(mine).toEqual(mine.map((_, n) => `${round}.${client}.${n}`));
      }
    }
  });

  it('lets the process end: nothing of an idle log keeps it alive', () => {
    const output = execFileSync(process.execPath, [processModule, path, 'follow', '1'], { encoding: 'utf8' });
    expect(output.split('\n').sort()).toEqual(['', 'acked 0', 'ready', 'seen 0']);
  });

  it('a topic whose batches could not be removed at once is removed by the next try', async () => {
    await using log = await open();
    await create(log);
    for (let n = 0; n < 300; n++) await append(log, 3000);
    const stop = new AbortController();
    const deleted = log.deleteTopic(topic, stop);
    while ((await log.describeTopic(topic, waiting)) !== undefined)
      await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(deleted).rejects.toMatchObject({ name: 'AbortError' });
    await log.deleteTopic(topic, waiting);
    const store = new LogStore(path);
    const all = { start: batchKey({ number: 1, partition: 0 }, 0), end: batchKey({ number: 2, partition: 0 }, 0) };
    expect([store.keys(all), store.get(purgeKey(1))]).toEqual([[], undefined]);
    await store.close();
  });

  it('U4: is refused by releases that do not know headers of a batch that are stored once', async () => {
    await (await open())[Symbol.asyncDispose]();
    expect(() => openEnvironment({ path, kind: 'log', format: 1 })).toThrow(
      expect.objectContaining({ code: 'data.newerFormat', details: { path, found: 2, supported: 1 } }),
    );
  });

  it('refuses a folder of a newer format, of something else, damaged or unreachable, and says which', async () => {
    await openEnvironment({ path, kind: 'log', format: 99 }).close();
    await expect(open()).rejects.toMatchObject({ code: 'data.newerFormat' });
    const unusable = { code: 'data.unusable' };
    const foreign = openEnvironment({ path: join(folder, 'foreign'), kind: 'log', format: 1 });
    const formats = foreign.openDB<unknown, string>('format', { encoding: 'json', keyEncoding: 'ordered-binary' });
    formats.putSync('format', { kind: 'log' });
    await foreign.close();
    path = join(folder, 'foreign');
    await expect(open()).rejects.toMatchObject({ code: 'data.unusable' });
    await openEnvironment({ path: join(folder, 'other'), kind: 'catalog', format: 1 }).close();
    path = join(folder, 'other');
    await expect(open()).rejects.toMatchObject(unusable);
    path = join(folder, 'torn');
    await (await open())[Symbol.asyncDispose]();
    truncateSync(join(path, 'data.mdb'), 3 * 4096);
    await expect(open()).rejects.toMatchObject(unusable);
    writeFileSync(join(path, 'data.mdb'), 'nothing that LMDB would know');
    await expect(open()).rejects.toMatchObject(unusable);
    path = join(path, 'data.mdb', 'below-a-file');
    await expect(open()).rejects.toMatchObject(unusable);
  });

  it('what cannot be read is log.unavailable, and stops nothing else', async () => {
    await using log = await open();
    await create(log);
    const store = new LogStore(path);
    await store.write(() => store.put(topicKey('damaged'), Buffer.from('{"name":')));
    await store.close();
    await expect(log.describeTopic('damaged', waiting)).rejects.toMatchObject({ code: 'log.unavailable' });
    expect(await log.describeTopic(topic, waiting)).toMatchObject({ name: topic });
  });

  it('a call that is under way when the log closes is done, or log.closed', async () => {
    const log = await open();
    await create(log);
    const calls = Promise.allSettled<unknown>([
      log.createTopic({ name: 'other', partitions: 1 }, waiting),
      log.join({ group: 'g', member: 'm' }, waiting),
    ]);
    await log[Symbol.asyncDispose]();
    for (const result of await calls) {
      expect(result.status === 'rejected' ? (result.reason as unknown) : undefined).toSatisfy(
        (reason: unknown) => reason === undefined || (reason instanceof MillraceError && reason.code === 'log.closed'),
      );
    }
  });

  it('the records of one append are in one transaction, however many batches they take', async () => {
    await using log = await open();
    await create(log);
    const store = new LogStore(path);
    const before = store.lastTransaction();
    await append(log, 100_000, 30);
    expect(store.lastTransaction() - before).toBe(1);
    expect(
      store.keys({ start: batchKey({ number: 1, partition: 0 }, 0), end: batchKey({ number: 2, partition: 0 }, 0) })
        .length,
    ).toBeGreaterThan(5);
    await store.close();
  });

  it('appends that wait for the disk together are one batch', async () => {
    await using log = await open();
    await create(log, 3);
    const store = new LogStore(path);
    const before = store.lastTransaction();
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        log.append({ topic, partition: index % 3 }, [{ value: Buffer.from('a'), headers: [], timestamp: 0 }], waiting),
      ),
    );
    expect(store.lastTransaction() - before).toBe(1);
    await store.close();
  });

  it('a trim in many transactions goes on beside appends and gives the space back', async () => {
    await using log = await open();
    await create(log);
    for (let n = 0; n < 600; n++) await append(log, 3000);
    const whole = await identified(log, at);
    const [trimmed] = await Promise.all([log.trim(whole, 590, waiting), append(log), append(log)]);
    expect(trimmed).toBeUndefined();
    const [range] = await log.ranges(topic, waiting);
    expect(range).toMatchObject({ first: 590, durableEnd: 602 });
    const { size } = statSync(join(path, 'data.mdb'));
    for (let n = 0; n < 300; n++) await append(log, 3000);
    expect(statSync(join(path, 'data.mdb')).size).toBeLessThan(size * 1.2);
    await log.trim(whole, 10_000, waiting);
    expect(await log.ranges(topic, waiting)).toMatchObject([{ first: 902, durableEnd: 902, bytes: 0 }]);
  });

  it('goes on deleting what a killed process left half deleted', async () => {
    const before = await open();
    await create(before);
    for (let n = 0; n < 5; n++) await append(before);
    await before[Symbol.asyncDispose]();
    const store = new LogStore(path);
    await store.write(() => store.putJson(purgeKey(1), { topic }));
    await store.close();
    await using _cleaning = await open('main', true);
    const after = new LogStore(path);
    const all = { start: batchKey({ number: 1, partition: 0 }, 0), end: batchKey({ number: 2, partition: 0 }, 0) };
    const leftBehind = () => {
      after.refresh();
      return [...after.keys(all), after.get(purgeKey(1))].filter((found) => found !== undefined);
    };
    await expect.poll(leftBehind).toEqual([]);
    await after.close();
  });

  it('an append by name lands in the topic that was made again, although the thread knew the old one', async () => {
    await using log = await open();
    await using other = await open('other');
    await create(log);
    await append(log);
    await other.deleteTopic(topic, waiting);
    await expect(append(log)).rejects.toMatchObject({ code: 'log.topicNotFound' });
    await create(log);
    await append(log);
    await other.deleteTopic(topic, waiting);
    await create(other);
    expect(await append(log)).toBe(0);
    expect(await other.ranges(topic, waiting)).toMatchObject([{ first: 0, durableEnd: 1 }]);
  });

  it('D8: what is read at once is bounded, with the headers that each record of a run has', async () => {
    await using log = await open();
    await create(log);
    const ids = Array.from({ length: 1000 }, (_, index) => String(index + 1000));
    const values = ids.map((id) => Buffer.from(id));
    const sharedHeaders = ['cookie', 'x'.repeat(10_000)];
    await log.append(at, recordRun({ name: 'id', ids, values, sharedHeaders, timestamp: 1 }), waiting);
    const whole = await identified(log, at);
    await using member = await log.join({ group: 'group', member: 'member' }, waiting);
    await member.subscribe([topic], waiting);
    await member.poll({ maxBytes: 1, maxWaitMs: 0 }, waiting);
    member.seek(whole, 0);
    const read: LogRecord[] = [];
    while (read.length < ids.length) {
      const batches = await member.poll({ maxBytes: 500_000, maxWaitMs: 1000 }, waiting);
      const records = batches.flatMap((batch) => batch.records);
      expect(records.length).toBeLessThanOrEqual(50);
      read.push(...records);
    }
    expect(read.map(({ headers }) => headers)).toEqual(ids.map((id) => ['id', id, ...sharedHeaders]));
    expect((await log.read(whole, 0, waiting)).records.length).toBeLessThanOrEqual(105);
  });

  it('an append that was given up before its commit may be missing; the others are not disturbed', async () => {
    await using log = await open();
    await create(log);
    const controller = new AbortController();
    const reason = new Error('given up');
    const record = { value: Buffer.from('a'), headers: [], timestamp: 0 };
    const given = log.append(at, [record], controller);
    const kept = append(log);
    controller.abort(reason);
    await expect(given).rejects.toBe(reason);
    const offset = await kept;
    expect(await log.ranges(topic, waiting)).toMatchObject([{ durableEnd: offset + 1 }]);
  });

  describe('groups', () => {
    const join = async (log: EventLog) => {
      const member = await log.join({ group: 'group', member: 'member' }, waiting);
      await member.subscribe([topic], waiting);
      return member;
    };
    const untilHolds = async (member: GroupMember, count: number) => {
      const holds = async () => {
        await member.poll({ maxBytes: 1, maxWaitMs: 100 }, waiting);
        return member.assignment.partitions.length;
      };
      await expect.poll(holds).toBe(count);
    };

    it('a thread that starts again replaces its former life, and the first log of a process everybody', async () => {
      await using main = await open('main', true);
      await create(main, 4);
      await using crashed = await open('worker');
      const ghost = await join(crashed);
      await untilHolds(ghost, 4);
      await using other = await open('other');
      const member = await join(other);
      await untilHolds(member, 2);
      await using restarted = await open('worker');
      await untilHolds(member, 4);
      await untilHolds(ghost, 0);
      const again = await join(restarted);
      await untilHolds(member, 2);
      await untilHolds(again, 2);
      await using _first = await open('main', true);
      await untilHolds(member, 0);
      await untilHolds(again, 0);
    });

    it('members in threads share partitions, read what other threads append at once, and append themselves', async () => {
      await using log = await open('main', true);
      await create(log, 2);
      await log.createTopic({ name: 'copies', partitions: 1 }, waiting);
      const data = (instance: string): LogThreadData => ({ path, instance, topic, group: 'group' });
      const workers = ['a', 'b'].map((instance) => new Worker(threadModule, { workerData: data(instance) }));
      try {
        const read = new Set<string>();
        const held = new Map<Worker, readonly number[]>();
        const progress = new EventTarget();
        for (const worker of workers) {
          worker.on('message', (message: LogThreadMessage) => {
            if (message.kind === 'assigned') held.set(worker, message.partitions);
            else read.add(`${message.partition}:${message.text}`);
            progress.dispatchEvent(new Event('message'));
          });
        }
        const until = async (done: () => boolean) => {
          while (!done()) await once(progress, 'message');
        };
        await until(
          () => [...held.values()].flat().length === 2 && [...held.values()].every((part) => part.length === 1),
        );
        for (const partition of [0, 1]) {
          const record = { value: Buffer.from('hello'), headers: [], timestamp: 0 };
          await log.append({ topic, partition }, [record], waiting);
        }
        await until(() => read.size === 2);
        await workers[0]!.terminate();
        await using _restarted = await open('a');
        await until(() => held.get(workers[1]!)!.length === 2);
        const [copies] = await log.ranges('copies', waiting);
        expect(copies!.durableEnd).toBeGreaterThanOrEqual(2);
      } finally {
        await Promise.all(workers.map((worker) => worker.terminate()));
      }
    });
  });
});

/** All records as texts, partition by partition. */
async function textsOf(log: EventLog, partitions: readonly number[]): Promise<readonly string[]> {
  await using member = await log.join({ group: 'check', member: 'check' }, waiting);
  await member.subscribe([topic], waiting);
  await member.poll({ maxBytes: 1, maxWaitMs: 0 }, waiting);
  const ranges = await log.ranges(topic, waiting);
  const total = ranges.reduce((sum, { durableEnd }) => sum + durableEnd, 0);
  for (const partition of partitions) member.seek(await identified(log, { topic, partition }), 0);
  const texts: string[] = [];
  while (texts.length < total) {
    const batches = await member.poll({ maxBytes: 1_000_000, maxWaitMs: 1000 }, waiting);
    for (const { records } of batches) texts.push(...records.map(({ value }) => Buffer.from(value).toString()));
  }
  return texts;
}

/**
 * For each line that the traced process wrote after `ready`: how many writes to the data file were not synced then, and
 * how many commits were completed since. A commit is a sync of the data, then its meta page through a synchronous descriptor.
 */
/**
 * How many writes to the file were not synced whenever one of its first two pages was written: they say which transaction is
 * the last, and from then on every thread sees it.
 */
function whatWasUnsyncedWhenShown(calls: readonly SystemCall[]): readonly number[] {
  const metaBytes = 2 * 4096;
  const shown: number[] = [];
  let unsyncedWrites = 0;
  for (const { name, text } of calls.slice(calls.findIndex((call) => call.text.includes('"ready')))) {
    if (!text.includes('data.mdb>')) continue;
    const offset = Number(/, ([0-9]+)\) += /.exec(text)?.[1] ?? Number.NaN);
    if (name === 'fdatasync' || name === 'fsync') unsyncedWrites = 0;
    else if (name === 'pwrite64' && offset < metaBytes) shown.push(unsyncedWrites);
    else unsyncedWrites += 1;
  }
  return shown;
}

/** Zeros that make the file longer hold nothing yet; LMDB itself writes at places. */
const isAhead = (name: string): boolean => name === 'write';

function whatWasSyncedWhenSaid(calls: readonly SystemCall[]) {
  const synchronous = new Set(calls.flatMap(({ text }) => /O_DSYNC.* = ([0-9]+)<.*data\.mdb>/.exec(text)?.[1] ?? []));
  const said: { readonly line: string; readonly unsyncedWrites: number; readonly syncs: number }[] = [];
  let unsyncedWrites = 0;
  let syncs = 0;
  for (const { name, text } of calls.slice(calls.findIndex((call) => call.text.includes('"ready')))) {
    const descriptor = /\(([0-9]+)</.exec(text)?.[1] ?? '';
    const line = /"((?:acked|seen) [0-9]+)\\n"/.exec(text)?.[1];
    if (line !== undefined) said.push({ line, unsyncedWrites, syncs });
    else if (text.includes('data.mdb>') && !isAhead(name)) {
      if (name === 'fdatasync' || name === 'fsync') unsyncedWrites = 0;
      else if (!synchronous.has(descriptor)) unsyncedWrites += 1;
      else if (unsyncedWrites === 0) syncs += 1;
    }
  }
  return said;
}
