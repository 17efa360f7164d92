import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openKafkaEventLog } from '../../src/adapters/kafka/event-log.ts';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { builtEntry } from '../support/built-entry.ts';
import { openCluster, whyNoCluster, type Cluster, type ClusterChoices } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { startKafka, type StartedKafka } from '../support/kafka.ts';
import { isLong } from '../support/long-tests.ts';
import { isMongodbMissing } from '../support/mongodb.ts';
import { runMillrace, type CommandRun } from '../support/run-millrace.ts';
import { Shop } from '../support/shop.ts';
import { startTimedSender, taken, type SentEvent } from '../support/timed-sender.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const noMongodb = missing !== undefined || (await isMongodbMissing());

const waiting = { signal: AbortSignal.timeout(3_000_000) };
const topic = 'source.1.shop';
const sinks = ['quick', 'slow'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
/** Each before the move has ended. */
const kills = isLong ? 40 : 3;

describe.skipIf(missing !== undefined)('millrace migrate', () => {
  let kafka: StartedKafka;
  let cluster: Cluster;
  let installation: Installation;
  let log: EventLog;

  beforeAll(async () => {
    kafka = await startKafka();
    log = openKafkaEventLog({ brokers: [kafka.brokers], clientId: 'millrace-test' });
  }, 400_000);

  afterAll(async () => {
    await log[Symbol.asyncDispose]();
    await kafka[Symbol.asyncDispose]();
  });

  const emptyCluster = (choices: ClusterChoices = {}) =>
    openCluster({ ...choices, ownKafka: { brokers: kafka.brokers, [Symbol.asyncDispose]: async () => {} } });

  async function clearKafka(): Promise<void> {
    for (const name of await log.listTopics('', waiting))
      if (!name.startsWith('__')) await log.deleteTopic(name, waiting);
  }

  /** In the place of the cluster of before. */
  async function useEmptyCluster(choices: ClusterChoices = {}): Promise<void> {
    await cluster[Symbol.asyncDispose]();
    await clearKafka();
    cluster = await emptyCluster(choices);
  }

  beforeEach(async () => {
    cluster = await emptyCluster();
    installation = await Installation.start({ env: { MILLRACE_PARTITIONS: '2' } });
  });

  afterEach(async () => {
    await installation[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    await clearKafka();
  });

  /** As the processes of the cluster have it. */
  async function environment(): Promise<Record<string, string>> {
    const key = await readFile(join(installation.folder, 'encryption-key'), 'utf8');
    return { ...cluster.secrets, MILLRACE_ROOT_TOKEN: rootToken, MILLRACE_ENCRYPTION_KEYS: key.trim() };
  }

  async function migrate(more: readonly string[] = [], folder = installation.folder): Promise<CommandRun> {
    const args = ['migrate', '--to', cluster.topology, '--data-dir', folder, ...more];
    return runMillrace(args, { env: await environment() });
  }

  /** Kills it as soon as `moment` has come; false when it had ended before. */
  async function migrateUntil(moment: (ended: Promise<unknown>) => Promise<unknown>): Promise<boolean> {
    const args = ['migrate', '--to', cluster.topology, '--data-dir', installation.folder];
    const child = spawn(process.execPath, [await builtEntry('main'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...(await environment()) },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    await Promise.race([moment(ended), ended]);
    child.kill('SIGKILL');
    return (await ended)[1] === 'SIGKILL';
  }

  /** Ctrl-C when the first topic is there. */
  async function interruptedMigrate(): Promise<Pick<CommandRun, 'code' | 'stderr'>> {
    const args = ['migrate', '--to', cluster.topology, '--data-dir', installation.folder];
    const child = spawn(process.execPath, [await builtEntry('main'), ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...(await environment()) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    const stderr = text(child.stderr);
    await begun();
    child.kill('SIGINT');
    return { code: (await ended)[0], stderr: await stderr };
  }

  const afterMs = (ms: number) => () => sleep(ms, undefined, { ref: false });

  /** The first topic is there, and far from all is. */
  const begun = () =>
    eventually(async () => expect(await log.listTopics('source.', waiting)).toEqual([topic]), { everyMs: 5 });

  /** The move is under way for somewhat longer than a look at both sides takes. One that ends is taken back, and begins anew elsewhere. */
  async function killAgainAndAgain(lookMs: number): Promise<void> {
    const { folder } = installation;
    const before = `${folder}-before`;
    await cp(folder, before, { recursive: true });
    for (let killed = 0; killed < kills;) {
      if (await migrateUntil(afterMs(lookMs * (0.6 + Math.random())))) {
        killed += 1;
        continue;
      }
      await rm(folder, { recursive: true });
      await cp(before, folder, { recursive: true });
      await useEmptyCluster();
    }
    await rm(before, { recursive: true });
  }

  async function startCluster(): Promise<Shop & { readonly admin: string }> {
    const { MILLRACE_ENCRYPTION_KEYS: key = '' } = await environment();
    const process = await cluster.start('ingest,map,stage,import,work,admin', { MILLRACE_ENCRYPTION_KEYS: key });
    return Object.assign(new Shop({ url: process.admin, token: rootToken }), { admin: process.admin });
  }

  /** Sends until there are so many, and kills the process in the middle of delivery. */
  async function sendUntilKilled(count: number): Promise<readonly SentEvent[]> {
    const sender = startTimedSender({ url: await installation.shop().url(), connections: 8, padBytes: 200 });
    await eventually(() => expect(sender.events.length).toBeGreaterThan(count));
    await installation.stop('SIGKILL');
    return sender.stop();
  }

  async function expectDelivered(shop: Shop, events: readonly SentEvent[], dead = 0): Promise<void> {
    for (const { sinkId, tableId } of sinks) {
      await shop.flush(sinkId);
      const numbers = await shop.numbersIn(tableId);
      expectExactlyOnce(numbers, events);
      expectConserved(await shop.progress(sinkId), numbers.length, dead);
    }
    const report = await shop.api.call('GET', '/v1/branches/default/conservation?since=24h');
    expect(report).toMatchObject({ well: true });
  }

  const client = (args: readonly string[], stdin = '') =>
    runMillrace([...args, '--data-dir', installation.folder], { env: installation.env, stdin });

  /** Removes, as retention does, what all sinks have; the offsets of the rest do not begin at 0 then. */
  async function retain(): Promise<readonly number[]> {
    const path = join(installation.folder, 'log/sources');
    await using source = await openLmdbEventLog({ path, instance: 'test', first: true, clock: systemClock });
    const { identity = '' } = (await source.describeTopic(topic, waiting)) ?? {};
    for (const partition of [0, 1]) await source.trim({ topic, partition, identity }, 50, waiting);
    return (await source.ranges(topic, waiting)).map(({ first }) => first);
  }

  it('M1, M2, M3: killed again and again it moves everything: each event is in its table once, and the numbers hold', async () => {
    const shop = installation.shop();
    await shop.create(sinks, { uploadCount: 40 });
    // It has rows, staged slices, and outcomes that are not staged; and so has one that was deleted meanwhile, and one that is disabled.
    await shop.set(shop.sink('slow'), { importCount: 700, importInterval: '30m', uploadInterval: '20s' });
    const url = await shop.url();
    expect((await fetch(url, { method: 'POST', body: '{"pad":"no number"}' })).status).toBe(200);
    const { token } = await shop.api.call<{ token: string }>('POST', '/v2/storage/tokens', { role: 'admin' });
    expect(await client(['vault', 'set', 'password'], 'secret')).toMatchObject({ code: 0 });
    const csv = join(installation.folder, 'local', 'keyed.csv');
    await writeFile(csv, 'id,text\n1,"a ""quoted""\nline"\n2,é\n');
    const imported = await client(['table', 'import', 'in.c-other.keyed', csv, '--create', '--key', 'id']);
    expect(imported).toMatchObject({ code: 0 });
    const gone = { sinkId: 'gone', tableId: 'in.c-shop.gone' };
    await shop.createSink(gone);
    const before = startTimedSender({ url, connections: 4, first: 500_000 });
    await eventually(() => expect(taken(before.events).length).toBeGreaterThan(300));
    await before.stop();
    await shop.flush('quick');
    await shop.flush('slow');
    await shop.api.task('PUT', `${shop.sink('gone')}/disable`);
    const sent = [...before.events, ...(await sendUntilKilled(1500))];
    const firsts = await retain();
    expect(Math.max(...firsts)).toBeGreaterThan(0);

    const began = performance.now();
    expect(await migrate(['--dry-run'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Nothing was moved.') as string,
    });
    await killAgainAndAgain(performance.now() - began);
    expect(await migrate()).toMatchObject({ code: 0, stderr: '' });
    expect(await migrate()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('had been moved already') as string,
    });
    await expect(installation.start()).rejects.toThrow(/was moved to a cluster/);

    const there = await startCluster();
    expect((await log.ranges(topic, waiting)).map(({ first }) => first)).toEqual(firsts);
    const more = startTimedSender({ url: await there.url(), connections: 4, first: 1_000_000 });
    await eventually(() => expect(taken(more.events).length).toBeGreaterThan(200));
    await more.stop();
    await expectDelivered(there, [...sent, ...more.events], 1);
    const early = await there.numbersIn(gone.tableId);
    expectExactlyOnce(early, before.events);
    expectConserved(await there.progress('gone'), early.length);
    const letters = await there.api.rows('sys.c-millrace.dead_letters');
    expect(letters).toHaveLength(2);
    expect(new Set(letters.map((row) => row['sink']))).toEqual(new Set(['quick', 'slow']));
    expect(await there.api.rows('in.c-other.keyed')).toEqual([
      { id: '1', text: 'a "quoted"\nline' },
      { id: '2', text: 'é' },
    ]);
    const listed = await runMillrace(['vault', 'list'], { env: { MILLRACE_URL: there.admin, MILLRACE_TOKEN: token } });
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('password') as string });
  }, 900_000);

  it('M4: a move that is not finished keeps the cluster from starting, and not the process; then it begins anew', async () => {
    const shop = installation.shop();
    await shop.create(sinks);
    const sent = [...(await sendUntilKilled(300))];
    expect(await interruptedMigrate()).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Give the command again: it goes on where it was.') as string,
    });
    await expect(startCluster()).rejects.toThrow(/was not finished/);
    await installation.start();
    const more = startTimedSender({ url: await installation.shop().url(), connections: 2, first: 10_000 });
    await eventually(() => expect(taken(more.events).length).toBeGreaterThan(50));
    sent.push(...(await more.stop()));
    await installation.stop('SIGKILL');
    expect(await migrate()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a process has worked on the data folder since') as string,
    });
    expect(await migrate(['--anew'])).toMatchObject({ code: 0, stderr: '' });
    await expectDelivered(await startCluster(), sent);
  }, 600_000);

  it.skipIf(noMongodb)(
    'M1, M3: goes into a cluster whose catalog is MongoDB, also when it is cut off there',
    async () => {
      await useEmptyCluster({ catalog: 'mongodb' });
      const shop = installation.shop();
      await shop.create(sinks, { uploadCount: 40 });
      expect(await client(['vault', 'set', 'password'], 'secret')).toMatchObject({ code: 0 });
      const sent = await sendUntilKilled(400);
      expect(await migrateUntil(begun)).toBe(true);
      await expect(startCluster()).rejects.toThrow(/was not finished/);
      expect(await migrate()).toMatchObject({ code: 0, stderr: '' });
      await expect(installation.start()).rejects.toThrow(/was moved to a cluster/);
      const there = await startCluster();
      await expectDelivered(there, sent);
      const listed = await runMillrace(['vault', 'list'], {
        env: { MILLRACE_URL: there.admin, MILLRACE_TOKEN: rootToken },
      });
      expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('password') as string });
    },
    600_000,
  );

  it('M5: is refused before anything is written, with all that it cannot move', async () => {
    const shop = installation.shop();
    await shop.create(sinks);
    expect(await client(['vault', 'set', 'password'], 'secret')).toMatchObject({ code: 0 });
    expect(await migrate()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another process works') as string,
    });
    await installation.stop('SIGTERM');
    const { MILLRACE_ENCRYPTION_KEYS: _, ...without } = await environment();
    const args = ['migrate', '--to', cluster.topology, '--data-dir', installation.folder];
    expect(await runMillrace(args, { env: without })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('MILLRACE_ENCRYPTION_KEYS does not name') as string,
    });
    expect(await runMillrace(['migrate', '--data-dir', installation.folder])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give --to or MILLRACE_TOPOLOGY') as string,
    });
    const refusedBy = { ...(await environment()), S3_SECRET: 'another' };
    expect(await runMillrace(args, { env: refusedBy })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /secret access key[^]*Mend what the message says, then run .*: it goes on where it was/,
      ) as string,
    });
    expect(await log.listTopics('', waiting)).not.toContain('millrace-installation');
    expect(await migrate([], join(installation.folder, 'local'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is no data folder') as string,
    });
    const copy = join(installation.folder, '..', `copy-${process.pid}`);
    await cp(installation.folder, copy, { recursive: true });
    expect(await migrate()).toMatchObject({ code: 0, stderr: '' });
    // Of the same installation, so the marks say nothing: the record of the move does.
    expect(await migrate([], copy)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has filled it') as string,
    });
    expect(await migrate(['--anew'], copy)).toMatchObject({ code: 1 });
  }, 600_000);
});
